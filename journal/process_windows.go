package journal

import "golang.org/x/sys/windows"

// startTime is when a process started, in 100 ns since 1601; 0 if it does not run.
func startTime(pid int) int64 {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(process)
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(process, &created, &exited, &kernel, &user); err != nil || exited != (windows.Filetime{}) {
		return 0
	}
	return int64(created.HighDateTime)<<32 | int64(created.LowDateTime)
}

// bootID is not needed: start times are dates.
func bootID() string { return "" }

// endGroups ends the processes that were noted, each with all its threads. Windows knows no
// process groups; what a process has started itself is not ended with it. Of another user's
// process it gives no handle.
func endGroups(_ string, groups []group) error {
	for _, g := range groups {
		if g.Started == 0 || startTime(g.PID) != g.Started {
			continue
		}
		process, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.SYNCHRONIZE, false, uint32(g.PID))
		if err != nil {
			continue
		}
		if windows.TerminateProcess(process, 1) == nil {
			_, _ = windows.WaitForSingleObject(process, uint32(groupPatience.Milliseconds()))
		}
		_ = windows.CloseHandle(process)
	}
	return nil
}
