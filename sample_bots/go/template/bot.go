// A bot to begin with: fill in call. The rest of the program, in perudo.go, talks to the arena.

package main

// call answers a question: with a bid, such as Bid(3, 5), or with one of q.Words.
//
// As it stands, it doubts a bid of more dice than it has to expect, and else makes the smallest
// bid that it may.
func call(q *Question) string {
	expected := q.Count(q.Face) + q.Unseen()/3
	if q.May("dudo") && q.Quantity > expected {
		return "dudo"
	}
	quantity, face := 0, 0
	for f := 1; f <= 6; f++ {
		if least := q.Minimum(f); least > 0 && (quantity == 0 || least < quantity) {
			quantity, face = least, f
		}
	}
	if quantity == 0 {
		return q.Words[0]
	}
	return Bid(quantity, face)
}

func main() {
	Run(Bot{Name: "template-go", Version: "1", Games: 64, Call: call})
}
