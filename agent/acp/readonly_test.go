//go:build unix

package acp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/agent/acp"
)

var reading = []string{
	"ls", "ls -la src", "/bin/ls", "/usr/bin/git status", "cat a.go b.go", "cat 'a b.go' \"c d.go\"", "head -n 20 a.go", "wc -l src/*.go",
	"grep -rn 'func (s \\*session)' agent", "grep -E \"a|b\" x", "rg -n --hidden TODO src", "rg foo | head -5", "cat x | grep y | wc -l", "ls && pwd",
	"find . -name '*.go' -type f", "find src -maxdepth 2 -not -path '*/x/*' -print", "find . -mtime -7 -size +10k", "echo hello", "diff -u a b",
	"git status", "git status --short --branch", "git log --oneline -n 5", "git log -p --stat HEAD~3..HEAD", "git show HEAD:a.go", "git diff main...x -- a.go",
	"git --no-pager diff --name-only", "git ls-files", "git rev-parse HEAD", "git blame -L 1,10 a.go", "git grep -n foo", "git branch", "git branch -a", "git branch --show-current",
	"git tag -l", "git remote -v", "git stash list", "git worktree list", "git reflog", "git config --list", "git cat-file -p HEAD", "git describe --tags",
	"tree -L 2", "file a.bin", "stat a", "du -sh .", "''ls", "l's'",
}

var notReading = []string{
	"", " ", "rm x", "touch x", "mkdir x", "tee x", "sort -o x y", "sed -i s/a/b/ x", "awk 1 x", "xargs rm", "env ls", "sudo ls", "sh", "bash -c ls", "python x", "npm test", "make", "go vet",
	"./ls", "bin/ls", "/tmp/ls", "../ls", "/usr/local/bin/ls", "'/bin/../tmp/ls'",
	"ls > x", "ls >> x", "ls >x", "ls 2>&1", "cat < x", "cat <<EOF", "ls &", "ls & rm x", "ls; rm x", "ls || rm x", "ls |& tee x", "ls && rm x", "ls | rm x", "ls && ", "&& ls", "| ls", "ls | | ls", "ls |",
	"cat $(rm x)", "cat `rm x`", "cat \"$(rm x)\"", "cat \"`rm x`\"", "cat $HOME", "cat \"$HOME\"", "cat ${x}", "cat <(rm x)", "echo !rm", "echo \"!rm\"", "cat \\$x", "cat \"a\\$(rm)\"", "cat a\\ b",
	"X=1 ls", "GIT_EXTERNAL_DIFF=rm git diff", "PATH=. ls", "(ls)", "{ ls; }", "ls {a,b}", "ls\nrm x", "ls\rrm x", "cat 'a\nb'", "cat 'x", "cat \"x", "cat 'a\\' 'b; rm x #'", "cat ~", "cat ~x", "cat a:~", "cat ~", "cat #x", "cat *", "cat ?x", "cat [a]x", "find *", "git log *", "cat -*", "cat ''*", "cat '-'*",
	"cat \u00a0x", "\uff4cs", "cat \x00", "cat \xff", "cat \x1b[31m", "cat ^x", "ls\u2028rm",
	"find . -delete", "find . -exec rm {} +", "find . -exec rm '{}' ';'", "find . -execdir x", "find . -ok x", "find . -okdir x", "find . -fprint x", "find . -fprintf x y", "find . -fprint0 x", "find . -fls x", "find . -files0-from x",
	"rg --pre ./x foo", "rg --pre=./x foo", "rg --hostname-bin x foo", "rg -z foo", "rg --search-zip x", "rg -nz x", "file -C -m x", "file --compile", "tree -o x", "tree --output x", "tree -aRo x",
	"git", "git commit -m x", "git add .", "git push", "git pull", "git fetch", "git checkout x", "git reset --hard", "git clean -f", "git -c core.pager=x log", "git -C /x status", "git --git-dir=x status", "git --exec-path=x status", "git -p log", "git --paginate log", "git --config-env=a=b log",
	"git diff --output=x", "git diff --output x", "git log --outp=x", "git diff --ext-diff", "git show --ext", "git log --textconv", "git cat-file --filters HEAD:x", "git cat-file --textconv HEAD:x", "git grep -O foo", "git grep -Oless foo", "git grep -nO foo", "git grep --open-files-in-pager=x foo", "git log --help", "git rev-list --exec=x",
	"git branch x", "git branch -d x", "git branch -D x", "git branch -m x", "git tag x", "git tag -d x", "git remote add x y", "git remote show x", "git remote update", "git stash", "git stash pop", "git stash drop", "git worktree add x", "git worktree", "git reflog expire --all", "git reflog delete x", "git config x y", "git config --unset x", "git config", "git config alias.x '!rm'", "git x", "git lg", "git archive -o x HEAD", "git format-patch HEAD~", "git bundle create x HEAD", "git fsck --lost-found", "git gc", "git update-index --refresh", "git symbolic-ref HEAD x", "git notes add", "git ls-remote x", "git submodule update", "git bisect run x", "git difftool", "git help log", "git apply x", "git am",
	"GIT status", "command ls", "builtin ls", "exec ls", "eval ls", "cd x", "cd x && git status", "source x", ". x", "time ls", "! ls", "if ls", "nohup ls", "less x", "more x", "man ls", "vi x", "date -s x", "uniq a b", "xxd a b", "cp a b", "mv a b", "ln a b", "dd if=a of=b", "curl x", "wget x", "ssh x", "jq . x", "yes",
}

func TestS19_ReadOnlyCommands(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	readsIn := func(command any) bool { return acp.ReadsIn(dir, "", dir, command) }
	for _, line := range reading {
		require.True(t, readsIn(line), "%q", line)
	}
	for _, line := range notReading {
		require.False(t, readsIn(line), "%q", line)
	}
	require.False(t, readsIn("ls "+strings.Repeat("x", 10_000)))
	argv := func(words []string) (list []any) {
		for _, word := range words {
			list = append(list, word)
		}
		return list
	}
	for _, words := range [][]string{{"ls", "-l", "$(x)"}, {"bash", "-lc", "ls | wc"}, {"/bin/zsh", "-c", "git status"}, {"cat", "a;rm b"}} {
		require.True(t, readsIn(argv(words)), "%q", words)
	}
	for _, words := range [][]string{nil, {}, {""}, {"bash"}, {"bash", "-c"}, {"bash", "-c", "rm x"}, {"bash", "-ic", "ls"}, {"bash", "-c", "ls", "x"}, {"./bash", "-c", "ls"}, {"fish", "-c", "ls"}, {"rm"}, {"ls|rm"}, {"find", "-delete"}, {"git", "-c", "x"}} {
		require.False(t, readsIn(argv(words)), "%q", words)
	}
}

// What a program that reads is given has to be in the call's folders too.
func TestS19_ReadOnlyCommandsStayInside(t *testing.T) {
	dir, scratch, other := tree(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(other, "secret"), filepath.Join(dir, "docs", "leak")))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sub", "x"), nil, 0o600))
	for _, line := range []string{
		"cat " + dir + "/a.txt", "cat " + scratch + "/s", "cat alias", "ls " + dir, "cat sub/*", "head -n 5 sub/?", "grep -rn /api/users sub", "grep -A 3 /one a.txt", "grep -nC3 one a.txt", "grep -C3 /one a.txt", "grep -rn --include='*.go' /one sub", "rg -n -g '**/*.go' -- /one sub", "grep -e one a.txt", "cut -d / -f 1 a.txt", "cut -d/ -f1 a.txt",
		"tail -n 5 a.txt", "tail -5 a.txt", "rg -g '**/*.go' one", "rg one -t go sub", "rg --glob='*.go' one", "find sub -name x", "find " + dir + " -path '/x/*'", "echo /etc/passwd", "tr / _", "cat -", "wc -l",
		"git log --format=%H", "git log -S/etc/x", "git show HEAD:a.txt", "git diff main..origin/main -- sub/x", "git log --since='2 weeks ago'",
	} {
		require.True(t, acp.ReadsIn(dir, scratch, dir, line), "%q", line)
	}
	for _, line := range []string{
		"cat " + other + "/secret", "cat /etc/passwd", "cat /proc/1/environ", "cat /proc/self/environ", "cat /dev/tty", "cat ../other/secret", "cat leak", "cat out/secret", "cat docs/*", "cat d*/leak", "cat o*/secret", "cat docs/[l]eak", "cat **/leak", "head /dev/stdin",
		"tail -f a.txt", "tail -F a.txt", "tail -fn 5 a.txt", "tail -n5f a.txt", "tail --follow a.txt", "tail --fol=name a.txt", "tail --retry a.txt", "tail --pid=1 a.txt",
		"ls /", "stat /etc/passwd", "du -s /", "file /etc/passwd", "tree /", "wc --files0-from=/etc/passwd", "du --files0-from=a.txt", "grep -r x /", "grep x /etc/passwd", "grep -e x /etc/passwd", "grep -f /etc/passwd a.txt", "grep -f/etc/passwd a.txt", "grep -rf ../x a.txt", "grep --file=/etc/passwd a.txt",
		"grep --regexp x /etc/passwd", "grep --reg=x /etc/passwd", "grep -nex /etc/passwd", "grep -R x .", "grep --dereference-r x .", "rg --files /etc", "rg --follow x", "rg -L x", "rg -e x /etc", "rg x /etc", "rg -f /etc/passwd", "find / -name x", "find -L . -name x", "find . -follow", "find . -newer /etc/passwd",
		"rg one -g -g /etc", "rg -e -g /etc one", "rg -r -g one /etc", "grep --include -A one /etc/passwd", "grep -e -A /etc/passwd one", "cut --output-delimiter -f /etc/passwd -f1", "cut --output-delimiter -f /etc/passwd", "grep -fleak a.txt", "grep -nfleak a.txt", "file -fleak", "git grep -fleak", "rg -uuf leak x",
		"cmp a.txt /etc/passwd", "diff a.txt /etc/passwd", "diff --from-file=/etc/passwd a.txt", "diff -r sub docs", "diff --recursive sub docs", "du -L docs", "tree -l", "cut -f1 /etc/passwd", "cat -- /etc/passwd", "cat -- -x /etc/passwd", "nl /etc/passwd",
		"git diff --no-index /etc/passwd a.txt", "git grep --no-index x /etc", "git grep -f /etc/passwd", "git grep -f/etc/passwd", "git blame --contents /etc/passwd a.txt", "git blame --contents=/etc/passwd a.txt", "git diff -O/etc/passwd", "git ls-files -X /etc/passwd", "git ls-files --exclude-from=/etc/passwd",
		"git log --format=%G?", "git log --pretty=format:'%h %GG'", "git log --show-signature", "git log --show-sig", "git for-each-ref --format='%(signature)'", "git log --diff-merges=remerge", "git log --diff-m=r", "git diff --textconv", "git diff --ext-diff",
	} {
		require.False(t, acp.ReadsIn(dir, scratch, dir, line), "%q", line)
	}
	require.False(t, acp.ReadsIn(dir, scratch, "", "pwd"), "nowhere")
	require.True(t, acp.ReadsIn(dir, scratch, filepath.Join(dir, "sub"), "cat x"))
}

// What is taken for words is what a shell takes for them.
func FuzzShellWords(f *testing.F) {
	for _, line := range append(append([]string{}, reading...), notReading...) {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		commands, ok := acp.ShellWords(line)
		if !ok {
			require.False(t, acp.ReadsIn(os.TempDir(), "", os.TempDir(), line))
			return
		}
		require.NotEmpty(t, commands)
		for _, words := range commands {
			require.NotEmpty(t, words)
		}
		// The words again, each in quotes, are the same words.
		var again []string
		for _, words := range commands {
			again = append(again, "'"+strings.Join(words, "' '")+"'")
		}
		if quoted := strings.Join(again, "|"); !strings.Contains(quoted, "\\") && !strings.Contains(strings.Join(slices.Concat(commands...), ""), "'") && len(quoted) < 8000 {
			same, ok := acp.ShellWords(quoted)
			require.True(t, ok, "%q", quoted)
			require.Equal(t, commands, same)
		}
		if len(commands) > 1 {
			return
		}
		out, err := exec.Command("/bin/sh", "-fc", "printf '%s\\0' "+line).Output()
		require.NoError(t, err, "%q", line)
		require.Equal(t, strings.Join(commands[0], "\x00")+"\x00", string(out), "%q", line)
	})
}
