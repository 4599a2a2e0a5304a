// Copyright The ctx-lsp authors. MIT licence.

package main

import "time"

const (
	followedSessions = 60
	followedRequests = 5 // of each session, while the daemon follows it
)

// followedGrowing returns the CPU time of a daemon that follows sessions on this machine while each gets more requests,
// and that no client asks what they hold of files.
func followedGrowing(p program) (time.Duration, error) {
	var took time.Duration
	_, err := inEmptyHome(p.path, func(p program) (opened, error) {
		list := make([]*growing, followedSessions)
		for i := range list {
			var err error
			if list[i], err = newGrowing(p.home, i); err != nil {
				return opened{}, err
			}
		}
		cmd, c, err := start(p, "serve", "--stdio", "--engine=native")
		if err != nil {
			return opened{}, err
		}
		defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
		if err := begin(c, 0); err != nil {
			return opened{}, err
		}
		if err := c.call("ctx/watch", object{}); err != nil {
			return opened{}, err
		}
		for range followedRequests {
			for _, s := range list {
				if err := s.request(1); err != nil {
					return opened{}, err
				}
			}
			time.Sleep(time.Second) // each round is read by itself
		}
		took, err = usedSoFar(cmd.Process.Pid)
		return opened{}, err
	})
	return took, err
}
