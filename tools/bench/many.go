// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

func sessionsFlags(flags *flag.FlagSet) func([]string) error {
	program := programFlag(flags)
	times := flags.Int("n", 15, "runs of each")
	length := flags.Duration("for", time.Minute, "how long `top` is measured while no session grows; 0 leaves it out")
	megabytes := flags.Int("mb", 2048, "size of the database; 0 leaves it out")
	return func([]string) error {
		path, err := program()
		if err != nil {
			return err
		}
		return measureSessions(path, *times, *length, *megabytes)
	}
}

// measureSessions measures ctx-lsp on a machine with very many sessions: the first and later runs of `sessions`, each
// in its own process; `top` while no session grows; and one conversation in a large database, compared with the same
// conversation alone. It writes 2.2 GB to the directory for temporary files, and removes them.
func measureSessions(program string, times int, length time.Duration, large int) error {
	home, err := os.MkdirTemp("", "ctx-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(home)
	if large > 0 {
		if err := measureDatabase(program, home, times, large); err != nil {
			return err
		}
	}
	many := filepath.Join(home, "many")
	n, err := manySessions(many)
	if err != nil {
		return err
	}
	if err := measureSearch(program, many, n, times); err != nil {
		return err
	}
	if length > 0 {
		return measureIdle(program, many, n, length)
	}
	return nil
}

// measureSearch measures `sessions` in its default form, which reads the newest fifty, and with --json, which also
// reports the current session of this directory and therefore needs the directory of each.
func measureSearch(program, home string, n, times int) error {
	for _, args := range [][]string{{"sessions"}, {"sessions", "--json"}} {
		first, err := once(program, home, args...)
		if err != nil {
			return err
		}
		var after []run
		for range times {
			r, err := once(program, home, args...)
			if err != nil {
				return err
			}
			after = append(after, r)
		}
		fmt.Printf("%s, %d of all agents, the first time: %v\n", strings.Join(args, " "), n, first)
		fmt.Printf("%s, in each later process: %s\n", strings.Join(args, " "), summary(after))
	}
	var floor []run
	for range times {
		r, err := once(program, home, "version", "--json")
		if err != nil {
			return err
		}
		floor = append(floor, r)
	}
	fmt.Printf("version, which only starts and ends: %s\n", summary(floor))
	return nil
}

// measureDatabase measures one conversation in a database with others.
func measureDatabase(program, home string, times, megabytes int) error {
	small, big := filepath.Join(home, "small"), filepath.Join(home, "big")
	if err := cursorDatabase(small, 0); err != nil {
		return err
	}
	if err := cursorDatabase(big, megabytes); err != nil {
		return err
	}
	var alone, among []run
	for range times {
		for _, each := range []struct {
			home string
			runs *[]run
		}{{small, &alone}, {big, &among}} {
			r, err := once(program, each.home, "status", "--json", "c1")
			if err != nil {
				return err
			}
			*each.runs = append(*each.runs, r)
		}
	}
	info, err := os.Stat(filepath.Join(big, cursorPath))
	if err != nil {
		return err
	}
	fmt.Printf("status, a conversation alone in its database: %s\n", summary(alone))
	fmt.Printf("status, the same in a database of %.1f GB: %s\n", float64(info.Size())/1e9, summary(among))
	return os.RemoveAll(big)
}

// summary returns the minimum and the median of several runs.
func summary(runs []run) string {
	wall, cpu := sorted(runs, wallOf), sorted(runs, cpuOf)
	kb := int64(0)
	for _, r := range runs {
		kb = max(kb, r.kb)
	}
	middle := len(runs) / 2
	return fmt.Sprintf("least %.1f ms, median %.1f ms; CPU time least %.1f ms, median %.1f ms; at most %.0f MB (%d runs)",
		ms(wall[0]), ms(wall[middle]), ms(cpu[0]), ms(cpu[middle]), float64(kb)/1024, len(runs))
}

// command returns a command that runs the program in its own home directory.
func command(program, home string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir = home
	cmd.Env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "XDG_CACHE_HOME=" + filepath.Join(home, "cache"),
		"XDG_STATE_HOME=" + filepath.Join(home, "state"), "XDG_RUNTIME_DIR=" + home, "LANG=C.UTF-8",
	}
	return cmd
}

func once(program, home string, args ...string) (run, error) {
	r, err := runOnce(command(program, home, args...))
	if err == nil && len(r.output) < 20 {
		err = fmt.Errorf("%v prints only %q", args, r.output)
	}
	return r, err
}
