package cli

import (
	"fmt"
	"path/filepath"

	"github.com/seed-8d4a6081/assent/internal/fault"
)

// notifyConfig says how it is told that a run waits.
type notifyConfig struct {
	// bell and title are signs at the run's own terminal.
	bell, title bool
	// command is the user's own program; nil if there is none.
	command *userProgram
}

// people takes over who is asked and who is told. What a workspace may not say is kept by name.
func (c *config) people(path string, file configFile) error {
	refuse := func(key, what string) error {
		return fault.New(fault.ConfigInvalid, path+": "+key+" "+what, "")
	}
	program := func(key string, argv []string) (*userProgram, error) {
		if len(argv) == 0 || argv[0] == "" {
			return nil, refuse(key, "names no program")
		}
		return &userProgram{key: key, argv: argv, file: path}, nil
	}
	var err error
	if argv := file.Approval.Asker; argv != nil {
		c.mine = append(c.mine, "approval.asker")
		if c.asker, err = program("approval.asker", argv); err != nil {
			return err
		}
	}
	if text := file.Approval.AskerTimeout; text != "" {
		c.mine = append(c.mine, "approval.asker-timeout")
		if c.askerLimit, err = duration(text); err != nil {
			return refuse("approval.asker-timeout:", err.Error())
		}
		if c.asker == nil {
			return refuse("approval.asker-timeout", "needs an asker")
		}
	}
	if file.Notify == nil {
		return nil
	}
	c.mine = append(c.mine, "notify")
	for _, sign := range []struct {
		given *bool
		to    *bool
	}{{file.Notify.Bell, &c.notify.bell}, {file.Notify.Title, &c.notify.title}} {
		if sign.given != nil {
			*sign.to = *sign.given
		}
	}
	if argv := file.Notify.Command; argv != nil {
		c.notify.command, err = program("notify.command", argv)
	}
	return err
}

// userProgram is a program that the user's own configuration names.
type userProgram struct {
	// key is where it is named, in file.
	key, file string
	argv      []string
}

func (p *userProgram) dir() string { return filepath.Dir(p.file) }

// refuse says what is wrong with it.
func (p *userProgram) refuse(what, next string) error {
	return fault.New(fault.ConfigInvalid, fmt.Sprintf("%s: %s: %s", p.file, p.key, what), next)
}
