// perudo.go reads every message of protocol/vectors. Run with go test.

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/vmihailenco/msgpack/v5"
)

// vectors is the folder of the vectors: PERUDO_VECTORS, or where it lies in the arena's repository.
func vectors(t *testing.T) string {
	folder := os.Getenv("PERUDO_VECTORS")
	if folder == "" {
		folder = "../../../protocol/vectors"
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skip("set PERUDO_VECTORS to the folder protocol/vectors of the arena")
	}
	return folder
}

func contents(t *testing.T, path string) []byte {
	bytes, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// plain is what a value is made of, with its numbers as JSON has them, without lists named "past"
// that are empty: to Go they are like those that are not there.
func plain(value any) any {
	switch it := value.(type) {
	case map[string]any:
		fields := map[string]any{}
		for key, inner := range it {
			if list, is := inner.([]any); !is || key != "past" || len(list) > 0 {
				fields[key] = plain(inner)
			}
		}
		return fields
	case []any:
		list := []any{}
		for _, inner := range it {
			list = append(list, plain(inner))
		}
		return list
	}
	if number := reflect.ValueOf(value); number.CanInt() {
		return float64(number.Int())
	} else if number.CanUint() {
		return float64(number.Uint())
	}
	return value
}

func unpack(t *testing.T, frame []byte, into any) {
	if err := msgpack.Unmarshal(frame, into); err != nil {
		t.Fatal(err)
	}
}

// again is `value` written as msgpack and read without its type.
func again(t *testing.T, value any) any {
	frame, err := msgpack.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	var generic any
	unpack(t, frame, &generic)
	return plain(generic)
}

func TestEveryVector(t *testing.T) {
	folder := vectors(t)
	paths, _ := filepath.Glob(filepath.Join(folder, "*.msgpack"))
	if len(paths) < 20 {
		t.Fatalf("only %d vectors in %s", len(paths), folder)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".msgpack")
		t.Run(name, func(t *testing.T) {
			frame := contents(t, path)
			var text any
			if err := json.Unmarshal(contents(t, filepath.Join(folder, name+".json")), &text); err != nil {
				t.Fatal(err)
			}
			wanted := plain(text).(map[string]any)
			read := reflect.ValueOf(&message{})
			switch wanted["type"] {
			case "hello":
				read = reflect.ValueOf(&hello{})
			case "answer":
				read = reflect.ValueOf(&answer{})
			}
			unpack(t, frame, read.Interface())
			fields := again(t, read.Interface()).(map[string]any)
			for key, value := range wanted {
				if !reflect.DeepEqual(fields[key], value) {
					t.Errorf("%s: read %v, wanted %v", key, fields[key], value)
				}
			}
		})
	}
}

func TestWhatIsSent(t *testing.T) {
	folder := vectors(t)
	bot := Bot{Name: "me", Version: "1.2", Games: 4, OutOfTurn: true, Past: true}
	sent := map[string]any{"hello": newHello(bot, "0123456789abcdef", "Cobol")}
	for _, name := range []string{"answer", "answer_batch", "answer_empty"} {
		var stored answer
		unpack(t, contents(t, filepath.Join(folder, name+".msgpack")), &stored)
		sent[name] = stored
	}
	for name, value := range sent {
		frame, err := msgpack.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if string(frame) != string(contents(t, filepath.Join(folder, name+".msgpack"))) {
			t.Errorf("%s: sent %q", name, frame)
		}
	}
}

func TestReply(t *testing.T) {
	folder := vectors(t)
	var heard []string
	bot := Bot{
		Call:      func(q *Question) string { heard = append(heard, "act"); return q.LegalCalls()[0] },
		GameBegan: func(*Start) { heard = append(heard, "start") },
		GameEnded: func(*End) { heard = append(heard, "end") },
	}
	for name, wanted := range map[string]string{
		"ask_first": "start act",
		"ask_ends":  "end end",
		"ask_batch": "act act act",
	} {
		heard = nil
		var ask message
		unpack(t, contents(t, filepath.Join(folder, name+".msgpack")), &ask)
		reply := ask.reply(bot)
		if strings.Join(heard, " ") != wanted || reply.ID != ask.ID || len(reply.Calls) != len(ask.Acts) {
			t.Errorf("%s: heard %v, replied %v", name, heard, reply)
		}
	}
}

// Keys that a later version adds are skipped, whatever they hold.
func TestUnknownKeys(t *testing.T) {
	frame, _ := msgpack.Marshal(map[string]any{
		"type": "ask",
		"id":   7,
		"news": map[string]any{"deep": []any{1, "two", nil, 3.5}},
		"acts": []any{map[string]any{"seat": 3, "also": []any{map[string]any{}}}},
	})
	var ask message
	unpack(t, frame, &ask)
	if ask.ID != 7 || len(ask.Acts) != 1 || ask.Acts[0].Seat != 3 {
		t.Errorf("read %v", ask)
	}
}

func TestHelpers(t *testing.T) {
	q := Question{
		Hand: []int{1, 2, 2, 5}, Wild: 1, MaxQuantity: 9, Words: []string{"dudo"},
		MinQuantity: []int{10, 10, 10, 8, 9, 10},
	}
	if q.Count(2) != 3 || q.Count(1) != 1 || q.Count(6) != 1 || q.Unseen() != 5 {
		t.Error("dice are miscounted")
	}
	if q.Minimum(4) != 8 || q.Minimum(1) != 0 || !q.May("dudo") || q.May("calza") {
		t.Error("what is legal is misjudged")
	}
	if calls := strings.Join(q.LegalCalls(), " "); calls != "dudo 8x4 9x4 9x5" {
		t.Error(calls)
	}
	if quantity, face := ParseBid("12x6"); quantity != 12 || face != 6 {
		t.Error("12x6 is misread")
	}
	if quantity, face := ParseBid("dudo"); quantity != 0 || face != 0 {
		t.Error("dudo is read as a bid")
	}
}
