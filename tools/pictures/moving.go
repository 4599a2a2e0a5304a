// Copyright The ctx-lsp authors. MIT licence.

package main

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// A scene is a screen of the moving picture: a session after some of its requests.
type scene struct {
	calls   int
	args    string
	until   string
	seconds float64
}

// The session fills, warns, is compacted, and the last scene lists what was lost.
var scenes = []scene{
	{14, "status 0197f1c2", "every row", 2.5},
	{36, "status 0197f1c2", "every row", 2.5},
	{54, "status 0197f1c2", "every row", 3},
	{61, "status 0197f1c2", "every row", 4},
	{66, "status 0197f1c2", "every row", 4},
	{66, "forgot 0197f1c2", "ropped", 7},
}

const movingColumns, movingRows = 64, 17

// drawMoving draws the scenes with a prompt above each screen, and returns them as one picture.
func drawMoving(program, home string, variablesOf func(home string) []string) (string, error) {
	screens := make([]string, len(scenes))
	for i, s := range scenes {
		own := filepath.Join(home, fmt.Sprint("scene", i))
		if err := (&session{
			"0197f1c2-1111-7000-8000-000000000001", "/home/ada/shop", "Mend the parser of dates", "claude-opus-4-6", s.calls, 24_000, 2_700, 0,
		}).write(own, time.Now().Add(-4*time.Second)); err != nil {
			return "", err
		}
		screen, err := capture(picture{"moving", movingColumns, 60, s.args, nil, s.until}, program, own, variablesOf(own))
		if err != nil {
			return "", err
		}
		command, _, _ := strings.Cut(s.args, " ")
		lines := strings.Split("\x1b[2m$\x1b[0m ctx-lsp "+command+"\n"+screen, "\n")
		screens[i] = strings.Join(lines[:min(len(lines), movingRows)], "\n")
	}
	return moving(screens, movingColumns, movingRows, "ctx-lsp: a session fills, warns, is compacted, and what was lost"), nil
}

// moving returns screens that follow each other as SVG with an animation in CSS. Each screen has its own ground and
// covers the first one, which is what a viewer without animations shows.
func moving(screens []string, columns, rows int, title string) string {
	wide, high := float64(columns)*cellWide+2*margin, float64(rows)*cellHigh+2*margin
	all := 0.0
	for _, s := range scenes[:len(screens)] {
		all += s.seconds
	}
	w := &strings.Builder{}
	fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" role="img">`+"\n", wide, high, wide, high)
	fmt.Fprintf(w, "<title>%s</title>\n<style>\n", html.EscapeString(title))
	w.WriteString("@media (prefers-reduced-motion: no-preference) {\n")
	from := scenes[0].seconds / all * 100
	for i := 1; i < len(screens); i++ {
		to := from + scenes[i].seconds/all*100
		end := fmt.Sprintf("%.2f%%{visibility:hidden}", to)
		if i == len(screens)-1 {
			end = ""
		}
		fmt.Fprintf(w, "@keyframes s%d{0%%{visibility:hidden}%.2f%%{visibility:visible}%s}\n", i, from, end)
		fmt.Fprintf(w, "#s%d{animation:s%d %gs step-end infinite}\n", i, i, all)
		from = to
	}
	w.WriteString("}\n.later{visibility:hidden}\n</style>\n")
	for i, screen := range screens {
		class := ""
		if i > 0 {
			class = ` class="later"`
		}
		fmt.Fprintf(w, `<g id="s%d"%s font-family="'DejaVu Sans Mono','Menlo','Consolas',monospace" font-size="14" fill="%s">`+"\n", i, class, ink)
		fmt.Fprintf(w, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", ground)
		p := pen{}
		for j, line := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
			drawLine(w, &p, line, margin+float64(j)*cellHigh+13)
		}
		w.WriteString("</g>\n")
	}
	w.WriteString("</svg>\n")
	return w.String()
}

// writeMoving draws the moving picture into a directory.
func writeMoving(program, out, home string, variablesOf func(home string) []string) error {
	svg, err := drawMoving(program, home, variablesOf)
	if err != nil {
		return fmt.Errorf("moving: %w", err)
	}
	path := filepath.Join(out, "moving.svg")
	fmt.Println(path)
	return os.WriteFile(path, []byte(svg), 0o644)
}
