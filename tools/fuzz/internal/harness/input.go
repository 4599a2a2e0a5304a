// Copyright The ctx-lsp authors. MIT licence.

package harness

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
)

// SeedsIn is the environment variable with the directory to which a target writes its seed inputs.
const SeedsIn = "FUZZ_SEEDS"

// absent is the length that a length of zero stands for in the format below.
const absent = 30

// decode decodes the arguments of a target from libFuzzer's bytes. The format is that of go-118-fuzz-build, so that
// OSS-Fuzz's own tools can measure what our inputs cover. whole is false for an input that is too short.
func decode(input []byte, kinds []reflect.Type) (args []reflect.Value, whole bool) {
	for _, kind := range kinds {
		value := reflect.New(kind).Elem()
		switch kind.Kind() {
		case reflect.Slice, reflect.String:
			if len(input) < 5 { // a length, and at least one byte
				return nil, false
			}
			length := binary.BigEndian.Uint32(input)
			input = input[4:]
			left := uint32(len(input))
			if kind.Kind() == reflect.String {
				if length > left {
					return nil, false
				}
				value.SetString(string(input[:length]))
			} else {
				if length == 0 {
					length = absent
				}
				if length != left {
					length %= left
				}
				value.SetBytes(input[:length:length])
			}
			input = input[length:]
		case reflect.Int:
			if len(input) < 9 { // including whether the lowest byte comes first
				return nil, false
			}
			number := binary.BigEndian.Uint64(input)
			if input[8]%2 == 0 {
				number = binary.LittleEndian.Uint64(input)
			}
			value.SetInt(int64(number))
			input = input[9:]
		case reflect.Uint8, reflect.Bool:
			if len(input) < 1 {
				return nil, false
			}
			if kind.Kind() == reflect.Bool {
				value.SetBool(input[0]%2 == 0)
			} else {
				value.SetUint(uint64(input[0]))
			}
			input = input[1:]
		default:
			panic(fmt.Sprintf("a fuzz target takes a %s, which is not read yet", kind))
		}
		args = append(args, value)
	}
	return args, true
}

// Encode writes arguments in the format that decode reads. It cannot encode an empty []byte.
func Encode(args []any) (input []byte) {
	text := func(s string) {
		input = binary.BigEndian.AppendUint32(input, uint32(len(s)))
		input = append(input, s...)
	}
	for _, arg := range args {
		switch value := arg.(type) {
		case []byte:
			text(string(value))
		case string:
			text(value)
		case int:
			input = append(binary.BigEndian.AppendUint64(input, uint64(value)), 1)
		case byte:
			input = append(input, value)
		case bool:
			if value {
				input = append(input, 0)
			} else {
				input = append(input, 1)
			}
		default:
			panic(fmt.Sprintf("a fuzz target begins with a %T, which is not written yet", arg))
		}
	}
	return input
}

// writeSeeds writes the inputs that the target has added, named after their hashes.
func (f *F) writeSeeds(folder string) {
	for _, input := range f.added {
		sum := sha256.Sum256(input)
		if err := os.WriteFile(filepath.Join(folder, hex.EncodeToString(sum[:8])), input, 0o600); err != nil {
			f.Fatal(err)
		}
	}
}
