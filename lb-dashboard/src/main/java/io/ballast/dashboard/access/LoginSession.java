package io.ballast.dashboard.access;

import io.ballast.dashboard.config.DashboardUser;

/**
 * The session of a user who logged in.
 *
 * @param id the value of the session cookie; never logged
 * @param csrfToken token that requests with side effects must send in a header
 * @param user the user's entry at the time of the login
 * @param endNanos when the session expires
 */
record LoginSession(String id, String csrfToken, DashboardUser user, long endNanos) {

    boolean isExpired(long nowNanos) {
        return nowNanos - endNanos >= 0;
    }

    @Override
    public String toString() {
        return "Session[" + user.name() + "]";
    }
}
