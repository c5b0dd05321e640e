package repository

import "time"

// SetNetworkTime caps each step that speaks to a remote.
func (r *Repository) SetNetworkTime(limit time.Duration) { r.network = limit }
