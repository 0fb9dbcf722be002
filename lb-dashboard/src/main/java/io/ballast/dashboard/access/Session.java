package io.ballast.dashboard.access;

import io.ballast.core.config.DashboardUser;

/**
 * A login.
 *
 * @param id what the cookie says; never printed
 * @param csrf what requests that change something repeat
 * @param user as he was when he logged in
 * @param endNanos when it ends by itself
 */
record Session(String id, String csrf, DashboardUser user, long endNanos) {

    boolean hasEnded(long nowNanos) {
        return nowNanos - endNanos >= 0;
    }

    @Override
    public String toString() {
        return "Session[" + user.name() + "]";
    }
}
