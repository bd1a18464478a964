// The conversation with the referee: hello, welcome, then an answer to every ask until bye.
// Copy this file to write a bot of your own; SPEC.md in protocol/ describes every message.

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/go-zeromq/zmq4"
	"github.com/vmihailenco/msgpack/v5"
)

// Bot is what Run plays. Call is all that it must have.
type Bot struct {
	Name      string // as the bot calls itself
	Version   string // as its author numbers it
	Games     int    // most games it plays at once, 1 to 64 (0 is 1); Question.Game tells them apart
	OutOfTurn bool   // whether it wants to be asked when another seat is on turn (calza, tabba)
	Past      bool   // whether it wants to be told the rounds that are over

	Call      func(*Question) string // the call: a bid such as "3x5", or one of Words
	Welcomed  func(*Welcome)         // the referee's first message: limits in milliseconds
	GameBegan func(*Start)
	GameEnded func(*End)
}

// Question is an act of an ask: what to call now. Everything needed to answer is in here.
type Question struct {
	Game        int      `msgpack:"game"`
	Seat        int      `msgpack:"seat"`  // yours
	Dice        []int    `msgpack:"dice"`  // that each seat holds, by seat; 0 = out
	Round       int      `msgpack:"round"` // from 1
	Hand        []int    `msgpack:"hand"`  // your dice, sorted
	Palifico    bool     `msgpack:"palifico"`
	Wild        int      `msgpack:"wild"`     // the face that counts as any other, 0 = none
	Quantity    int      `msgpack:"quantity"` // of the standing bid, 0 = there is none
	Face        int      `msgpack:"face"`
	Calls       []Said   `msgpack:"calls"`               // of this round, passes too, oldest first
	MinQuantity []int    `msgpack:"min_quantity"`        // per face, 1 first; see Minimum
	MaxQuantity int      `msgpack:"max_quantity"`        // the dice in play
	Words       []string `msgpack:"words"`               // other calls that you may make
	Random      int      `msgpack:"random"`              // the only source of chance to use
	BankMS      int      `msgpack:"bank_ms"`             // left of the bank in this game
	MinTabba    []int    `msgpack:"min_tabba,omitempty"` // see SPEC.md
	Past        []Past   `msgpack:"past,omitempty"`      // rounds that ended since the last question

	TimeMS int `msgpack:"-"` // for this call: its share of the time for the whole answer
}

// Said is a call of a seat.
type Said struct {
	_msgpack struct{} `msgpack:",as_array"`
	Seat     int
	Call     string
}

// Past is a round that is over. Hands are empty where nobody showed dice, and then Count is 0.
type Past struct {
	Round     int     `msgpack:"round"`
	Opener    int     `msgpack:"opener"`
	Palifico  bool    `msgpack:"palifico"`
	Hands     [][]int `msgpack:"hands"`
	Calls     []Said  `msgpack:"calls"`
	Count     int     `msgpack:"count"`
	DiceAfter []int   `msgpack:"dice_after"`
}

// Welcome is the answer to the hello. Times are in milliseconds, 0 = there is none.
type Welcome struct {
	Name        string `msgpack:"name"` // of the bot, as the host lists it
	Games       int    `msgpack:"games"`
	Arena       string `msgpack:"arena"` // version of its software
	MoveMS      int    `msgpack:"move_ms"`
	BankMS      int    `msgpack:"bank_ms"`
	IncrementMS int    `msgpack:"increment_ms"`
}

// Start says that a game begins: your seat in it, the players' names and dice by seat, the rules.
type Start struct {
	Game       int      `msgpack:"game"`
	Seat       int      `msgpack:"seat"`
	Names      []string `msgpack:"names"`
	Commitment string   `msgpack:"commitment"`
	Ruleset    Ruleset  `msgpack:"ruleset"`
	Dice       []int    `msgpack:"dice"`
}

// Ruleset is the rules of a game, option by option as in SPEC.md.
type Ruleset struct {
	Name               string `msgpack:"name"`
	Players            []int  `msgpack:"players"`
	Dice               int    `msgpack:"dice"`
	Opener             string `msgpack:"opener"`
	BiddingRule        string `msgpack:"bidding_rule"`
	AceBids            string `msgpack:"ace_bids"`
	Palifico           string `msgpack:"palifico"`
	PalificoChange     string `msgpack:"palifico_change"`
	PalificoMinPlayers int    `msgpack:"palifico_min_players"`
	Tabba              string `msgpack:"tabba"`
	Calza              string `msgpack:"calza"`
	CalzaAtCap         bool   `msgpack:"calza_at_cap"`
	WildFace           int    `msgpack:"wild_face"`
	Loss               string `msgpack:"loss"`
	NextOpener         string `msgpack:"next_opener"`
	CalzaReward        string `msgpack:"calza_reward"`
	CalzaInPalifico    bool   `msgpack:"calza_in_palifico"`
	PalificoOnce       bool   `msgpack:"palifico_once"`
	OneRound           bool   `msgpack:"one_round"`
}

// End says that a game is over. Places are by seat, 1 = winner; Fault is "" unless you forfeited.
type End struct {
	Game   int    `msgpack:"game"`
	Places []int  `msgpack:"places"`
	Fault  string `msgpack:"fault"`
	Detail string `msgpack:"detail"`
	Past   []Past `msgpack:"past,omitempty"`
}

// Bid is the call that claims `quantity` dice of `face`: Bid(3, 5) is "3x5".
func Bid(quantity, face int) string {
	return fmt.Sprintf("%dx%d", quantity, face)
}

// ParseBid is the quantity and face of a call that is a bid, 0 and 0 for any other call.
func ParseBid(call string) (quantity, face int) {
	if n, err := fmt.Sscanf(call, "%dx%d", &quantity, &face); n != 2 || err != nil {
		return 0, 0
	}
	return quantity, face
}

// Unseen is the number of dice in play that are not yours.
func (q *Question) Unseen() int {
	return q.MaxQuantity - len(q.Hand)
}

// Count is the number of your own dice that count for a bid on `face` in this round.
func (q *Question) Count(face int) int {
	own := 0
	for _, die := range q.Hand {
		if die == face || die == q.Wild {
			own++
		}
	}
	return own
}

// Minimum is the smallest quantity you may bid on `face`, 0 where no bid on it is legal.
func (q *Question) Minimum(face int) int {
	if least := q.MinQuantity[face-1]; least <= q.MaxQuantity {
		return least
	}
	return 0
}

// May tells whether `word` ("dudo", "calza", ...) is a legal call.
func (q *Question) May(word string) bool {
	for _, other := range q.Words {
		if other == word {
			return true
		}
	}
	return false
}

// LegalCalls is everything you may answer, words first; never empty. Without tabba bids.
func (q *Question) LegalCalls() []string {
	calls := append([]string(nil), q.Words...)
	for face := 1; face <= 6; face++ {
		for quantity := q.MinQuantity[face-1]; quantity <= q.MaxQuantity; quantity++ {
			calls = append(calls, Bid(quantity, face))
		}
	}
	return calls
}

// Run plays until the referee says bye, then ends the program: with 1 where something went wrong,
// with 2 where the arena did not start it.
func Run(bot Bot) {
	endpoint := os.Getenv("ARENA_ENDPOINT")
	if endpoint == "" {
		fmt.Fprintln(os.Stderr, "a bot is started by the arena, which tells it ARENA_ENDPOINT and ARENA_TOKEN")
		os.Exit(2)
	}
	if err := play(bot, endpoint, os.Getenv("ARENA_TOKEN")); err != nil {
		fmt.Fprintln(os.Stderr, "perudo:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

func play(bot Bot, endpoint, token string) error {
	socket := zmq4.NewDealer(context.Background())
	if err := socket.Dial(endpoint); err != nil {
		return err
	}
	language := "Go " + strings.TrimPrefix(runtime.Version(), "go")
	if err := send(socket, newHello(bot, token, language)); err != nil {
		return err
	}
	for {
		frame, err := socket.Recv()
		if err != nil {
			return fmt.Errorf("the arena is gone: %w", err)
		}
		var message message
		if err := msgpack.Unmarshal(frame.Bytes(), &message); err != nil {
			return fmt.Errorf("the arena sent what is no message: %w", err)
		}
		switch message.Type {
		case "welcome":
			if bot.Welcomed != nil {
				bot.Welcomed(&message.Welcome)
			}
		case "refused":
			return errors.New("the arena refused the bot: " + message.Reason)
		case "bye":
			return nil
		case "ask":
			if err := send(socket, message.reply(bot)); err != nil {
				return err
			}
		}
	}
}

func send(socket zmq4.Socket, message any) error {
	frame, err := msgpack.Marshal(message)
	if err != nil {
		return err
	}
	return socket.Send(zmq4.NewMsg(frame))
}

type hello struct {
	Type      string `msgpack:"type"`
	Protocol  int    `msgpack:"protocol"`
	Token     string `msgpack:"token"`
	Name      string `msgpack:"name"`
	Version   string `msgpack:"version"`
	Language  string `msgpack:"language"`
	Games     int    `msgpack:"games"`
	OutOfTurn bool   `msgpack:"out_of_turn"`
	Past      bool   `msgpack:"past"`
}

func newHello(bot Bot, token, language string) hello {
	games := bot.Games
	if games == 0 {
		games = 1
	}
	return hello{"hello", 1, token, bot.Name, bot.Version, language, games, bot.OutOfTurn, bot.Past}
}

// message is any message of the referee; Type says which of its fields are there.
type message struct {
	Type     string `msgpack:"type"`
	Protocol int    `msgpack:"protocol"`
	Reason   string `msgpack:"reason"` // refused, bye
	Welcome
	ID     int        `msgpack:"id"` // ask, from here on
	TimeMS int        `msgpack:"time_ms"`
	Acts   []Question `msgpack:"acts"`
	Starts []Start    `msgpack:"starts"`
	Ends   []End      `msgpack:"ends"`
}

type answer struct {
	Type  string   `msgpack:"type"`
	ID    int      `msgpack:"id"`
	Calls []string `msgpack:"calls"`
}

// reply is the answer to an ask: what ended, then what begins, then a call for every act.
func (ask *message) reply(bot Bot) answer {
	for at := range ask.Ends {
		if bot.GameEnded != nil {
			bot.GameEnded(&ask.Ends[at])
		}
	}
	for at := range ask.Starts {
		if bot.GameBegan != nil {
			bot.GameBegan(&ask.Starts[at])
		}
	}
	calls := make([]string, len(ask.Acts))
	for at := range ask.Acts {
		ask.Acts[at].TimeMS = ask.TimeMS / len(ask.Acts)
		calls[at] = bot.Call(&ask.Acts[at])
	}
	return answer{"answer", ask.ID, calls}
}
