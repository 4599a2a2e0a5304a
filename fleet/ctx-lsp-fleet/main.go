// Copyright The ctx-lsp authors. MIT licence.

// Command ctx-lsp-fleet is a sink for ctx-lsp: it writes rows to a Parquet file, or sends measurements to an
// OpenTelemetry collector. ctx-lsp starts it and writes JSON lines to its standard input; it does not read sessions.
//
//	ctx-lsp-fleet parquet --schema=ctx.request/2 FILE
//	ctx-lsp-fleet otlp [--endpoint=http://host:4318] --service-version=0.2.0
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/ctx-lsp/ctx-lsp/fleet/internal/otlp"
	"github.com/ctx-lsp/ctx-lsp/fleet/internal/table"
)

// version is set by the linker in a release.
var version = "dev"

const usage = `ctx-lsp-fleet writes what ctx-lsp gives it as JSON lines on standard input. ctx-lsp export --format=parquet
and the flag --otlp start it; it is of no use by itself.

  ctx-lsp-fleet parquet --schema=ctx.request/2 FILE                 rows to a Parquet file
  ctx-lsp-fleet otlp [--endpoint=URL] --service-version=VERSION     measurements to a collector of OpenTelemetry
  ctx-lsp-fleet version
`

func main() {
	// The end of standard input ends this program. An interrupt from the terminal is for ctx-lsp, which then closes the
	// input.
	signal.Ignore(os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out, errs io.Writer) int {
	command := ""
	if len(args) > 0 {
		command, args = args[0], args[1:]
	}
	flags := flag.NewFlagSet("ctx-lsp-fleet "+command, flag.ContinueOnError)
	flags.SetOutput(errs)
	var err error
	switch command {
	case "parquet":
		schema := flags.String("schema", table.Schema, "the schema of the rows")
		if flags.Parse(args) != nil {
			return 2
		}
		if flags.NArg() != 1 {
			fmt.Fprint(errs, usage)
			return 2
		}
		err = table.Run(in, flags.Arg(0), *schema)
	case "otlp":
		endpoint := flags.String("endpoint", "", "the collector's address; the variables of OpenTelemetry name it otherwise")
		service := flags.String("service-version", "", "the version of ctx-lsp")
		if flags.Parse(args) != nil {
			return 2
		}
		err = otlp.Run(in, out, otlp.Settings{Endpoint: *endpoint, Version: *service, Getenv: os.Getenv})
	case "version", "--version":
		fmt.Fprintln(out, "ctx-lsp-fleet "+version)
	case "help", "--help", "-h":
		fmt.Fprint(out, usage)
	default:
		fmt.Fprint(errs, usage)
		return 2
	}
	if err != nil {
		fmt.Fprintln(errs, "ctx-lsp-fleet: "+err.Error())
		return 1
	}
	return 0
}
