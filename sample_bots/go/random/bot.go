// The smallest bot: any legal call, all equally likely.

package main

func call(q *Question) string {
	calls := q.LegalCalls()
	return calls[q.Random%len(calls)]
}

func main() {
	Run(Bot{Name: "random-go", Games: 64, Call: call})
}
