// Honest bids what its own hand makes likely and doubts what its hand makes unlikely.
//
// It believes its own dice and the binomial distribution for all others, nothing else. Every
// language's honest decides alike, call by call, because the odds are computed with + - * / on
// 64-bit floats in the order below, and no product is ever an operand of a sum (so no compiler
// fuses the two).

package main

const (
	sure  = 0.75 // it raises the quantity of a bid while the bid stays at least as likely as this
	doubt = 0.5  // it doubts what is more likely false than its best bid is true, by more than this
)

// chances are those that exactly k dice count, and at least k, for k = 0, 1, 2 ...
type chances struct{ exactly, atLeast []float64 }

var known = map[[2]int]chances{}

// odds of `dice` hidden dice, each of which counts with 1/sides.
func odds(dice, sides int) chances {
	if it, found := known[[2]int{dice, sides}]; found {
		return it
	}
	chance := 1.0
	for k := 0; k < dice; k++ {
		chance = chance * float64(sides-1) / float64(sides)
	}
	exactly := []float64{chance}
	for k := 0; k < dice; k++ {
		chance = chance * float64(dice-k) / float64((k+1)*(sides-1))
		exactly = append(exactly, chance)
	}
	atLeast := append([]float64(nil), exactly...)
	for k := dice - 1; k >= 0; k-- {
		atLeast[k] = atLeast[k+1] + exactly[k]
	}
	it := chances{exactly, atLeast}
	known[[2]int{dice, sides}] = it
	return it
}

// likely is how likely exactly `quantity` dice count for `face`, and at least so many.
func likely(q *Question, quantity, face int) (exact, atLeast float64) {
	unseen := q.Unseen()
	need := quantity - q.Count(face)
	if need > unseen {
		return 0, 0
	}
	if need < 0 {
		return 0, 1
	}
	sides := 3
	if q.Wild == 0 || q.Wild == face {
		sides = 6
	}
	it := odds(unseen, sides)
	if need == 0 {
		return it.exactly[0], 1
	}
	return it.exactly[need], it.atLeast[need]
}

// decide says tabba and palifico whenever offered; else the best of bid, dudo and calza.
func decide(q *Question) string {
	for _, word := range []string{"tabba", "palifico"} {
		if q.May(word) {
			return word
		}
	}
	exact, isTrue := 0.0, 1.0
	if q.Quantity > 0 {
		exact, isTrue = likely(q, q.Quantity, q.Face)
	}
	if !q.May("calza") {
		exact = 0
	}
	if q.May("pass") {
		if exact > 0.5 {
			return "calza"
		}
		return "pass"
	}

	// On each face the highest quantity it is sure of, or else the lowest; of these the likeliest,
	// then the highest quantity, then the highest face.
	best, most, on := -1.0, 0, 0
	for face := 1; face <= 6; face++ {
		quantity := q.Minimum(face)
		if quantity == 0 {
			continue
		}
		for quantity < q.MaxQuantity {
			if _, next := likely(q, quantity+1, face); next < sure {
				break
			}
			quantity++
		}
		_, chance := likely(q, quantity, face)
		if chance > best || (chance == best && quantity >= most) {
			best, most, on = chance, quantity, face
		}
	}

	isFalse := 1 - isTrue
	if exact > 0.5 && exact > isFalse && exact > best {
		return "calza"
	}
	if q.May("dudo") && (most == 0 || isFalse > best+doubt) {
		return "dudo"
	}
	return Bid(most, on)
}

func main() {
	Run(Bot{Name: "honest-go", Version: "1", Games: 64, OutOfTurn: true, Call: decide})
}
