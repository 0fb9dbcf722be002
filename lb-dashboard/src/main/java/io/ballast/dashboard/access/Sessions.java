package io.ballast.dashboard.access;

import io.ballast.dashboard.config.DashboardUser;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The active sessions, at most {@value #MAX_PER_USER} per user. When a user at this limit logs in again, the
 * user's oldest session ends. Confined to the dashboard's event loop.
 */
final class Sessions {

    static final int MAX_PER_USER = 32;

    /** The sessions by ID, oldest first. */
    private final Map<String, LoginSession> byId = new LinkedHashMap<>();

    LoginSession begin(DashboardUser user, Duration lifetime, long nowNanos) {
        long count =
                byId.values().stream().filter(each -> isSessionOf(user, each)).count();
        if (count >= MAX_PER_USER) {
            byId.values().stream()
                    .filter(each -> isSessionOf(user, each))
                    .findFirst()
                    .ifPresent(oldest -> byId.remove(oldest.id()));
        }
        LoginSession session =
                new LoginSession(Secrets.generateToken(), Secrets.generateToken(), user, nowNanos + lifetime.toNanos());
        byId.put(session.id(), session);
        return session;
    }

    private static boolean isSessionOf(DashboardUser user, LoginSession session) {
        return session.user().name().equals(user.name());
    }

    Optional<LoginSession> find(String id, long nowNanos) {
        return Optional.ofNullable(byId.get(id)).filter(session -> !session.isExpired(nowNanos));
    }

    void end(String id) {
        byId.remove(id);
    }

    /** Removes expired sessions and sessions of users whose entry was changed or removed. */
    void removeExpired(Credentials credentials, long nowNanos) {
        byId.values()
                .removeIf(session -> session.isExpired(nowNanos)
                        || !credentials.user(session.user().name()).equals(Optional.of(session.user())));
    }

    int count() {
        return byId.size();
    }
}
