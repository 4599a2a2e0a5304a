// Copyright The ctx-lsp authors. MIT licence.

package core

import "strings"

// serverOff returns the agent's command that switches off a server.
func (c *Commands) serverOff(name string) string {
	for _, beginning := range strings.Fields(c.OtherServers) {
		if strings.HasPrefix(name, beginning) {
			return c.ServerMenu
		}
	}
	return ServerOff(c.ServerOff, name)
}

// ServerOff returns a template's command that switches off a server, with the server's name in place of NAME. Users
// paste it into a shell, and a repository can choose the name, so a name with other than plain characters is put in
// double quotes. It returns "" if sh, PowerShell and cmd do not all take the quoted name literally.
func ServerOff(template, name string) string {
	if template == "" || name == "" || name[0] == '-' {
		return ""
	}
	plain := true
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		case r == '_' || r == '-' || r == '.' || r == ':' || r == '/':
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfffd:
			return ""
		case strings.ContainsRune("\"$`\\%!\u201c\u201d\u201e", r): // PowerShell ends a string at curly quotes too
			return ""
		default:
			plain = false
		}
	}
	if !plain {
		name = `"` + name + `"`
	}
	return strings.ReplaceAll(template, "NAME", name)
}
