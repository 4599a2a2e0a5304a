// Copyright The ctx-lsp authors. MIT licence.

package cli

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ctx-lsp/ctx-lsp/core/api"
	"github.com/ctx-lsp/ctx-lsp/internal/agents"
	"github.com/ctx-lsp/ctx-lsp/internal/countapi"
	"github.com/ctx-lsp/ctx-lsp/internal/engine"
	"github.com/ctx-lsp/ctx-lsp/internal/ipc"
	"github.com/ctx-lsp/ctx-lsp/internal/process"
	"github.com/ctx-lsp/ctx-lsp/internal/sessions"
	"github.com/ctx-lsp/ctx-lsp/internal/state"
	"github.com/ctx-lsp/ctx-lsp/lsp"
)

// A joint is the flag --socket: alone or with a port, in the form that some clients use.
type joint struct {
	on   bool
	port int
}

func (j *joint) Type() string { return "port" }

func (j *joint) String() string {
	if j.port > 0 {
		return strconv.Itoa(j.port)
	}
	return strconv.FormatBool(j.on)
}

func (j *joint) Set(s string) error {
	switch s {
	case "true":
		j.on = true
		return nil
	case "false":
		j.on = false
		return nil
	}
	port, err := strconv.Atoi(s)
	if err != nil {
		return errors.New("use --socket alone or --socket=PORT")
	}
	j.on, j.port = true, port
	return nil
}

type serveFlags struct {
	pipe, engine, module, state, metrics, logFile, logLevel string
	otlp                                                    string
	project                                                 *choice
	socket                                                  joint
	port, clientProcess                                     int
	shared, daemon                                          bool
	rest                                                    time.Duration
	idleExit                                                time.Duration
}

func serveCommand(env *environment) *cobra.Command {
	c := &cobra.Command{
		Use:   "serve",
		Short: "run the language server that editors start",
		Example: `  ctx-lsp serve                            use the language server protocol on standard input and output
  ctx-lsp serve --shared                   the same, through one daemon for all your editors
  ctx-lsp serve --pipe=NAME                at a socket file: connect to the client that waits there, or wait for clients
  ctx-lsp serve --socket --port=N          at a port of this machine: connect, or wait for clients that know its secret
  ctx-lsp serve --metrics=9464             also serve Prometheus at http://127.0.0.1:9464/metrics
  ctx-lsp serve --otlp=http://host:4318    also send measurements to an OpenTelemetry collector`,
		Long: `Exit codes: 0 after shutdown and exit, 1 if the client disconnected without them.`,
	}
	fs := c.Flags()
	var f serveFlags
	fs.Bool("stdio", true, "use standard input and output, the default")
	fs.Lookup("stdio").DefValue = "false" // not shown
	fs.StringVar(&env.agents, "agents", "", "read only these agents: `all|none|ID,ID` (or CTX_AGENTS)")
	fs.BoolVar(&f.shared, "shared", false, "use one daemon for all your editors")
	fs.StringVar(&f.pipe, "pipe", "", "use the socket file or named pipe `NAME`")
	fs.Var(&f.socket, "socket", "use a port of this machine, with --port or as --socket=PORT")
	fs.Lookup("socket").NoOptDefVal = "true"
	fs.IntVar(&f.port, "port", 0, "the `PORT` of --socket")
	fs.IntVar(&f.clientProcess, "clientProcessId", 0, "end when the process `PID` ends")
	fs.StringVar(&f.engine, "engine", "", "run the core in `wasm|native` (default wasm; native if this program has no module)")
	fs.StringVar(&f.module, "module", "", "use the WebAssembly module in this `FILE`")
	fs.StringVar(&f.state, "state", "", "keep ledgers (counts, labels and titles, no other text) and learned corrections in `DIR|none`")
	fs.StringVar(&f.metrics, "metrics", "", "serve Prometheus at this `ADDRESS`, on loopback unless it names another interface")
	fs.StringVar(&f.otlp, "otlp", "", "send measurements to this `URL`, like OTEL_EXPORTER_OTLP_ENDPOINT (docs/telemetry.md)")
	f.project = projectFlag(fs)
	fs.DurationVar(&f.idleExit, "idle-exit", 0, "end this `TIME` after the last client has disconnected (shared daemon: 10m)")
	fs.StringVar(&f.logFile, "log", "", "log to this `FILE` instead of standard error")
	fs.StringVar(&f.logLevel, "log-level", "warn", "log from this `LEVEL` on: debug, info, warn or error")
	fs.BoolVar(&f.daemon, "daemon", false, "")
	_ = fs.MarkHidden("daemon")
	fs.DurationVar(&f.rest, "rest", 0, "") // set by tests
	_ = fs.MarkHidden("rest")
	jsonFlag(fs, "accepted and ignored: the protocol is JSON")
	colorFlag(fs)
	c.RunE = does(func(ctx context.Context, rest []string) int {
		var err error
		if len(rest) > 0 {
			err = fmt.Errorf("unexpected argument %q", rest[0])
		}
		if problems := env.allowed().problems; err == nil && env.agents != "" && len(problems) > 0 {
			err = errors.New(problems[len(problems)-1])
		}
		if err == nil && f.socket.port > 0 && f.port == 0 {
			f.port = f.socket.port
		}
		if err == nil && f.socket.on && f.port <= 0 {
			err = errors.New("--socket requires --port=N")
		}
		if err == nil && f.port > 65535 {
			err = fmt.Errorf("--socket cannot be port %d; the highest port is 65535", f.port)
		}
		if err == nil && f.idleExit < 0 {
			err = errors.New("--idle-exit must not be negative")
		}
		if err == nil && !slices.Contains([]string{"", "native", "wasm"}, f.engine) {
			err = fmt.Errorf("--engine cannot be %q: expected wasm or native", f.engine)
		}
		if err != nil {
			return env.usageError("serve", err)
		}
		if f.shared {
			code, err := forwardToShared(ctx, env, fs)
			if err == nil {
				return code
			}
			env.errorf("%s", err)
			env.hintf("this editor uses its own daemon instead")
		}
		env.state = f.state
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		boundDaemonMemory()
		go giveBackAtRest(ctx)
		process.OnEnd(ctx, f.clientProcess, stop)
		log, err := serveLog(env, f)
		if err != nil {
			return env.fail(err)
		}
		var server *lsp.Server
		measured := telemetryFlags{endpoint: f.otlp, project: f.project.value, stateless: f.state == "none"}
		meter, sender, err := measured.open(env, f.metrics != "", func(session string) (*api.HistoryAnswer, error) { return server.History(session) },
			func(sentence string, trouble bool) {
				if trouble {
					log.Warn(sentence)
				} else {
					log.Info(sentence)
				}
			})
		if err != nil {
			return env.fail(err)
		}
		server = lsp.New(lsp.Options{
			Engine: func(context.Context) (lsp.Engine, error) {
				return daemonEngine(f, env, log, func(reread []string) { server.EngineReplaced(reread) })
			},
			Version:   currentVersion().Version,
			Log:       log,
			Now:       env.Now,
			Processes: env.Processes,
			State:     stateOf(env),
			Source:    sessions.NewFinder(env.host()),
			Machine:   env.machine(),
			Defaults:  env.settings().text,
			Firsts: func(ctx context.Context, workspace, agent string) (*api.FirstAnswer, error) {
				return env.firstsIn(ctx, workspace, agent, firstsChecked)
			},
			CountAPI: func(ctx context.Context, request countapi.Request) (countapi.Result, error) {
				return countapi.Count(ctx, request, countapi.Options{Getenv: env.Getenv})
			},
			Learned:       learnedOf(env),
			AccountLimits: state.LimitsIn(env.host().CacheDir()),
			Home:          env.host().Home,

			Vocabularies: vocabulariesOf(env),
			Telemetry:    meter,
		})
		if f.rest > 0 {
			server.RestAfter(f.rest)
		}
		defer closeTelemetry(meter, sender)
		defer server.Close()
		if f.metrics != "" {
			listener, err := serveMetrics(server, f.metrics)
			if err != nil {
				return env.fail(err)
			}
			defer listener.Close()
			env.hintf("metrics are at http://%s/metrics", listener.Addr())
		}
		if f.pipe == "" && f.port == 0 && !f.daemon && env.StdinTerminal {
			env.hintf("editors start this command; it is waiting for one on standard input, and Ctrl+C ends it")
		}
		switch {
		case f.daemon:
			at, err := sharedRendezvous(env, fs)
			if err != nil {
				return env.fail(err)
			}
			return serveShared(ctx, env, server, f, at, stop)
		case f.pipe != "":
			return serveMeeting(ctx, env, server, ipc.Pipe(f.pipe), f, stop)
		case f.port > 0:
			return serveMeeting(ctx, env, server, ipc.Port(f.port), f, stop)
		}
		return server.ServeToEnd(ctx, ipc.Stdio(env.Stdin, env.Stdout))
	})
	return c
}

// serveMeeting connects to the client that waits at the meeting, otherwise it waits for clients there.
func serveMeeting(ctx context.Context, env *environment, server *lsp.Server, at ipc.Meeting, f serveFlags, stop func()) int {
	claim, err := at.Claim()
	if errors.Is(err, ipc.ErrTaken) {
		env.errorf("another ctx-lsp is already waiting for clients at %s", at)
		return exitError
	}
	if err != nil {
		return env.fail(err)
	}
	defer claim.Release()
	conn, joined, err := at.Join()
	if err != nil {
		return env.fail(err)
	}
	if joined {
		claim.Release() // the client waits there, so this process does not
		return server.Serve(ctx, conn)
	}
	if err := claim.Listen(at); err != nil {
		return env.fail(err)
	}
	if at.Open() {
		forget, err := askForSecret(env, server, f.port)
		if err != nil {
			return env.fail(err)
		}
		defer forget()
	}
	if f.idleExit > 0 {
		server.ExitWhenIdle(f.idleExit, stop)
	}
	env.hintf("listening at %s", at)
	if err := server.ServeListener(ctx, claim); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// askForSecret requires a secret, which only this user can read, from every client of a port, because any program on
// this machine, and any page in a browser, can connect to a port.
func askForSecret(env *environment, server *lsp.Server, port int) (forget func(), err error) {
	dir, err := ipc.RuntimeDir(env.Getenv)
	if err != nil {
		return nil, fmt.Errorf("there is no directory for the secret of the port: %w", err)
	}
	path := filepath.Join(dir, fmt.Sprintf("port-%d.secret", port))
	secret := rand.Text()
	os.Remove(path) // removes the file of a killed daemon, whose mode would stay
	if err := os.WriteFile(path, []byte(secret+"\n"), 0o600); err != nil {
		return nil, fmt.Errorf("the secret of the port cannot be saved: %w", err)
	}
	server.AskSecret(secret, path)
	env.hintf("clients must send the content of %s as initializationOptions.secret", path)
	return func() { os.Remove(path) }, nil
}

// longLog is the size in bytes beyond which a log is cleared when a daemon starts.
const longLog = 1 << 20

// serveShared runs the daemon of --shared. It ends at once if another daemon serves at its address, and waits for one
// that is ending.
func serveShared(ctx context.Context, env *environment, server *lsp.Server, f serveFlags, at *ipc.Rendezvous, stop func()) int {
	listener, err := at.Listen(ctx)
	if errors.Is(err, ipc.ErrTaken) {
		return exitOK
	}
	if err != nil {
		return env.fail(err)
	}
	// The address is released only after every ledger was released, so that the next daemon finds them all.
	defer listener.Release()
	defer server.Close()
	if info, err := os.Stat(at.Log()); err == nil && info.Size() > longLog {
		_ = os.Truncate(at.Log(), 0) // every daemon that writes to it appends
	}
	if f.idleExit <= 0 {
		f.idleExit = 10 * time.Minute
	}
	server.ExitWhenIdle(f.idleExit, stop)
	if err := server.ServeListener(ctx, listener); err != nil {
		return env.fail(err)
	}
	return exitOK
}

// sharedRendezvous returns the meeting point of editors with the same requirements: the flags, and the keys, addresses
// and directories in the environment. A daemon has only one set of these for all its clients.
func sharedRendezvous(env *environment, fs *pflag.FlagSet) (*ipc.Rendezvous, error) {
	var asked []string
	fs.Visit(func(f *pflag.Flag) {
		switch f.Name {
		case "shared", "daemon", "stdio", "clientProcessId":
		default:
			asked = append(asked, "--"+f.Name+"="+f.Value.String())
		}
	})
	for _, variable := range env.variables() {
		name, _, _ := strings.Cut(variable, "=")
		if bearsOnDaemon(name) {
			asked = append(asked, variable)
		}
	}
	// The file may have changed since a daemon started that reads more.
	if a := env.allowed(); !a.user.all || !a.administrator.all {
		asked = append(asked, "not read: "+strings.Join(a.notRead(), ", "))
	}
	slices.Sort(asked)
	return ipc.NewRendezvous(env.Getenv, ipc.BuildOf(currentVersion().Version), asked...)
}

// bearsOnDaemon reports whether a variable affects what a daemon counts, requests, reads or keeps.
func bearsOnDaemon(name string) bool {
	for _, end := range []string{"_API_KEY", "_AUTH_TOKEN", "_BASE_URL", "_CONFIG_DIR"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return slices.Contains(daemonVariables, name) || slices.Contains(agents.Variables(), name) ||
		strings.HasPrefix(name, "XDG_") && strings.HasSuffix(name, "_HOME") || strings.HasPrefix(name, "OTEL_")
}

// daemonVariables are the variables, in addition to [agents.Variables], that a daemon reads once for all its clients.
var daemonVariables = []string{"HOME", "USERPROFILE", "CTX_WASM", "CTX_HIDE_PATHS", "CTX_EXPORT_KEY", "CTX_OTLP_PROJECT", "CTX_AGENTS"}

// forwardToShared connects this client to the shared daemon, and starts the daemon if none is running.
func forwardToShared(ctx context.Context, env *environment, fs *pflag.FlagSet) (int, error) {
	at, err := sharedRendezvous(env, fs)
	if err != nil {
		return 0, err
	}
	program, err := os.Executable()
	if err != nil {
		return 0, err
	}
	passed := []string{"serve", "--daemon"}
	fs.Visit(func(f *pflag.Flag) {
		if !slices.Contains([]string{"shared", "stdio", "clientProcessId"}, f.Name) {
			passed = append(passed, "--"+f.Name+"="+f.Value.String())
		}
	})
	dial := func() (net.Conn, error) {
		// The log is opened for appending: a running daemon may be writing to it, or it may contain the reason why the
		// last daemon ended.
		log, err := os.OpenFile(at.Log(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
		if err != nil {
			return nil, err
		}
		defer log.Close()
		start := exec.Command(program, passed...)
		start.Stderr = log
		return at.Dial(ctx, start)
	}
	conn, err := dial()
	if err != nil {
		return 0, err
	}
	return ipc.Forward(ipc.Stdio(env.Stdin, env.Stdout), conn, dial), nil
}

func serveLog(env *environment, f serveFlags) (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(f.logLevel)); err != nil {
		return nil, fmt.Errorf("--log-level cannot be %q: expected debug, info, warn or error", f.logLevel)
	}
	var to io.Writer = env.Stderr
	if f.logFile != "" {
		file, err := os.OpenFile(f.logFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, fmt.Errorf("the log cannot be written: %w", err)
		}
		to = file
	}
	return slog.New(slog.NewTextHandler(to, &slog.HandlerOptions{Level: level})), nil
}

// serveMetrics listens for Prometheus. A port without a host is a port of the loopback interface.
func serveMetrics(server *lsp.Server, address string) (net.Listener, error) {
	if _, err := strconv.Atoi(address); err == nil {
		address = ":" + address
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("--metrics cannot be %q: expected a port or HOST:PORT", address)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("metrics cannot be served: %w", err)
	}
	web := &http.Server{
		Handler: server.MetricsHandler(host), MaxHeaderBytes: 16 << 10,
		ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: time.Minute,
	}
	go func() { _ = web.Serve(listener) }() // returns with an error when the listener is closed
	return listener, nil
}

// stateOf opens the directory for ledgers; nil means that none are kept.
func stateOf(env *environment) *state.Ledgers {
	if dir := env.stateDir(); dir != "" {
		return state.OpenLedgers(dir)
	}
	return nil
}

// learnedOf opens the file of learned corrections; nil means that none are kept.
func learnedOf(env *environment) *state.Learned {
	if dir := env.stateDir(); dir != "" {
		return state.OpenLearned(dir)
	}
	return nil
}

// daemonInstances is the maximum number of core instances in a daemon. Each has its own vocabularies, 12 MB and 0.1 CPU
// seconds, and two handle thousands of updates a second. A long transcript is read in pieces that take some hundredths
// of a second, so a session waits only briefly for another one in its instance.
const daemonInstances = 2

// daemonEngine starts the requested engine. The default is wasm, where a defect or a malicious transcript can neither
// reach the daemon's memory nor block it. If its module is missing or cannot run, the core runs natively.
func daemonEngine(f serveFlags, env *environment, log *slog.Logger, replaced func(reread []string)) (lsp.Engine, error) {
	options := withAdded(env, engine.Options{
		Instances: min(runtime.GOMAXPROCS(0), daemonInstances),
		Log:       func(sentence string) { log.Info(sentence) },
		Replaced: func(fault *engine.Fault) {
			log.Error("the engine was replaced", "fault", fault)
			go replaced(append(fault.Lost, fault.Reread...))
		},
	})
	if f.state == "none" {
		options.CacheDir = "none" // not even the compiled engine is kept
	}
	module := f.module
	if module == "" {
		module = env.Getenv("CTX_WASM")
	}
	pool, err := engine.Open(f.engine, module, options)
	if err != nil {
		return nil, err
	}
	if pool.OnHeap() {
		unboundDaemonMemory()
	}
	return pool, nil
}
