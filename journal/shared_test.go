//go:build unix

package journal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/seed-8d4a6081/assent/journal"
)

// What holds for a run in a file of its own holds in the shared file. newOptions sees by the name
// of the test that it is to be one.
func TestTheSameInASharedFile(t *testing.T) {
	for name, test := range map[string]func(*testing.T){
		"ARunFromBeginToEnd":           TestARunFromBeginToEnd,
		"ValuesKeepTheirText":          TestValuesKeepTheirText,
		"B40_SecondAnswerIsRefused":    TestB40_SecondAnswerIsRefused,
		"UpdateKeepsNewsForSync":       TestUpdateKeepsNewsForSync,
		"AVisitorOnlyAnswers":          TestAVisitorOnlyAnswers,
		"TakeInterruptsWhatWasShown":   TestTakeInterruptsWhatWasShown,
		"TakeThatFnRefusesChanges":     TestTakeThatFnRefusesChangesNothing,
		"P10_LeaseLost":                TestP10_LeaseLost,
		"S07_ApproveAgainstCancel":     TestS07_ApproveAgainstCancel,
		"NewsAfterAnEmptyUpdate":       TestNewsAfterAnEmptyUpdate,
		"CrashMatrix":                  TestCrashMatrix,
		"B28_BothMetaPagesDamaged":     TestB28_BothMetaPagesDamaged,
		"B28_CutOff":                   TestB28_CutOff,
		"P7_FlippedBytes":              TestP7_FlippedBytes,
		"S02_EditedFile":               TestS02_EditedFile,
		"ReadingChangesNothing":        TestReadingChangesNothing,
		"RestoredFromACopy":            TestRestoredFromACopy,
		"S01_ForgedApproval":           TestS01_ForgedApproval,
		"S03_RestoredOlderCopy":        TestS03_RestoredOlderCopy,
		"S03_HistoryThatForks":         TestS03_HistoryThatForks,
		"TakeEndsADeadOwnersProcesses": TestTakeEndsADeadOwnersProcesses,
		"B42_TwoOwnersAtOnce":          TestB42_TwoOwnersAtOnce,
		"B28_KillAtAnyMoment":          TestB28_KillAtAnyMoment,
		"B26_StoppedHolder":            TestB26_StoppedHolder,
		"P9_LookingAtABusyRun":         TestP9_LookingAtABusyRun,
		"S14_TwoAnswersAtOnce":         TestS14_TwoAnswersAtOnce,
		"B27_AnswerFromAnotherProcess": TestB27_AnswerFromAnotherProcess,
		"B31_Limits":                   TestB31_Limits,
		"S01_ForgedTail":               TestS01_ForgedTail,
		"S01_GenuineTail":              TestS01_GenuineTail,
		"S01_ForgedTailOfAnOpenRun":    TestS01_ForgedTailOfAnOpenRun,
		"S01_ForgedTailMetByAnAppend":  TestS01_ForgedTailMetByAnAppend,
		"S01_ForgedLastEntry":          TestS01_ForgedLastEntry,
		"S03_OlderHead":                TestS03_OlderHead,
		"HeadOfEveryCommit":            TestHeadOfEveryCommit,
		"OwnAppendsAreNoNews":          TestOwnAppendsAreNoNews,
		"ChangesReachEveryHandle":      TestChangesReachEveryHandle,
		"S18_FilesOfARun":              TestS18_FilesOfARun,
		"CompactAgainstTheLiving":      TestCompact,
	} {
		t.Run("shared/"+name, test)
	}
}

// Whatever Options.Shared says, a run is found where it is.
func TestSharedAndOwnSideBySide(t *testing.T) {
	o := newOptions(t)
	o.Shared = true
	inShared := open(t, o)
	o.Shared = false
	inOwn := open(t, o)
	a, b, c := create(t, inShared), create(t, inOwn), create(t, inShared)
	for _, r := range []journal.Run{a, b, c} {
		_, err := journal.Append(t.Context(), r, finished(0), asked("g1", true))
		require.NoError(t, err)
		require.NoError(t, r.Close())
	}
	require.FileExists(t, inOwn.DBPath(b.ID()))
	require.Equal(t, inOwn.DBPath(a.ID()), inOwn.DBPath(c.ID()))
	for _, s := range []*journal.Store{inShared, inOwn} {
		rows, err := s.List(t.Context())
		require.NoError(t, err)
		require.Len(t, rows, 3)
		ids := map[string]bool{}
		for i, row := range rows {
			require.NoError(t, row.Err)
			require.Equal(t, "waiting", row.State)
			require.True(t, i == 0 || rows[i-1].ID < row.ID)
			ids[row.ID] = true
		}
		require.Equal(t, map[string]bool{a.ID(): true, b.ID(): true, c.ID(): true}, ids)
		for id := range ids {
			found, err := s.Find(t.Context(), id)
			require.NoError(t, err)
			require.Equal(t, id, found)
			r, err := s.Take(t.Context(), id, resume)
			require.NoError(t, err)
			require.NoError(t, r.Close())
			verified(t, s, id)
		}
	}
}
