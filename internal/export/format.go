// Copyright The ctx-lsp authors. MIT licence.

package export

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// A Writer writes rows in a format.
type Writer interface {
	Write(*Row) error
	Close() error // does not close the underlying writer
}

// Formats are the names of the formats, the default for directories first.
var Formats = []string{"parquet", "csv", "jsonl"}

// NewWriter returns a writer in one of the streaming formats: csv and jsonl.
func NewWriter(format string, to io.Writer) (Writer, error) {
	switch format {
	case "csv":
		w := csv.NewWriter(to)
		return csvRows{w}, w.Write(Columns())
	case "jsonl":
		w := bufio.NewWriter(to)
		return jsonRows{json.NewEncoder(w), w}, nil
	}
	return nil, fmt.Errorf("%q cannot be written as a stream; use csv or jsonl", format)
}

type jsonRows struct {
	*json.Encoder
	out *bufio.Writer
}

func (w jsonRows) Write(row *Row) error { return w.Encode(row) }
func (w jsonRows) Close() error         { return w.out.Flush() }

type csvRows struct{ *csv.Writer }

func (w csvRows) Write(row *Row) error { return w.Writer.Write(row.cells()) }

func (w csvRows) Close() error {
	w.Flush()
	return w.Error()
}

// Columns returns the names of the columns, in order.
func Columns() []string {
	var names []string
	for i := range reflect.TypeFor[Row]().NumField() {
		names = append(names, reflect.TypeFor[Row]().Field(i).Tag.Get("json"))
	}
	return names
}

// textCell returns a text that spreadsheets do not take for a formula: a text that looks like one gets a quotation mark
// in front.
func textCell(text string) string {
	if text != "" && strings.IndexByte("=+-@\t\r", text[0]) >= 0 {
		return "'" + text
	}
	return text
}

// cells returns the columns as CSV: an unknown value is empty, and the servers are JSON.
func (r *Row) cells() []string {
	v := reflect.ValueOf(r).Elem()
	cells := make([]string, v.NumField())
	for i := range cells {
		switch field := v.Field(i).Interface().(type) {
		case string:
			cells[i] = textCell(field)
		case *string:
			if field != nil {
				cells[i] = textCell(*field)
			}
		case int64:
			cells[i] = strconv.FormatInt(field, 10)
		case *int64:
			if field != nil {
				cells[i] = strconv.FormatInt(*field, 10)
			}
		case bool:
			cells[i] = strconv.FormatBool(field)
		case *time.Time:
			if field != nil {
				cells[i] = field.Format("2006-01-02T15:04:05.000Z")
			}
		case []Server:
			text, _ := json.Marshal(field) // strings and numbers can always be encoded
			cells[i] = string(text)
		}
	}
	return cells
}
