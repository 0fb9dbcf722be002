package io.ballast.dashboard.access;

import io.ballast.core.config.DashboardUser;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The logins that last, {@value #MOST_OF_ONE} of each user at most: the oldest makes room. Confined to the dashboard's event
 * loop.
 */
final class Sessions {

    static final int MOST_OF_ONE = 32;

    /** Oldest first. */
    private final Map<String, Session> byId = new LinkedHashMap<>();

    Session begin(DashboardUser user, Duration lifetime, long nowNanos) {
        long count = byId.values().stream().filter(each -> isOf(user, each)).count();
        if (count >= MOST_OF_ONE) {
            byId.values().stream()
                    .filter(each -> isOf(user, each))
                    .findFirst()
                    .ifPresent(oldest -> byId.remove(oldest.id()));
        }
        Session session = new Session(Secrets.token(), Secrets.token(), user, nowNanos + lifetime.toNanos());
        byId.put(session.id(), session);
        return session;
    }

    private static boolean isOf(DashboardUser user, Session session) {
        return session.user().name().equals(user.name());
    }

    Optional<Session> find(String id, long nowNanos) {
        return Optional.ofNullable(byId.get(id)).filter(session -> !session.hasEnded(nowNanos));
    }

    void end(String id) {
        byId.remove(id);
    }

    /** Forgets those that have ended, and those of users who are not what they were. */
    void review(Credentials credentials, long nowNanos) {
        byId.values()
                .removeIf(session -> session.hasEnded(nowNanos)
                        || !credentials.user(session.user().name()).equals(Optional.of(session.user())));
    }

    int count() {
        return byId.size();
    }
}
