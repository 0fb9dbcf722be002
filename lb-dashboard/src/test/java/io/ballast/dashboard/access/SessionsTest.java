package io.ballast.dashboard.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dashboard.config.DashboardAccess;
import io.ballast.dashboard.config.DashboardUser;
import io.ballast.dashboard.config.PasswordHash;
import io.ballast.dashboard.config.Role;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SessionsTest {

    private static final Duration LIFETIME = Duration.ofMinutes(10);
    private static final PasswordHash ANY = new PasswordHash("$2b$08$" + "a".repeat(53));

    private final Sessions sessions = new Sessions();
    private final DashboardUser ann = new DashboardUser("ann", ANY, Role.OPERATOR);
    private final DashboardUser ben = new DashboardUser("ben", ANY, Role.VIEWER);

    @Test
    void idsAreLongAndUnique() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 10; i++) {
            LoginSession session = sessions.begin(ann, LIFETIME, 0);
            assertThat(session.id()).hasSizeGreaterThan(40);
            assertThat(session.toString()).doesNotContain(session.id());
            seen.add(session.id());
            seen.add(session.csrfToken());
        }
        assertThat(seen).hasSize(20);
    }

    @Test
    void aSessionExpires() {
        LoginSession session = sessions.begin(ann, LIFETIME, -7);

        assertThat(sessions.find(session.id(), LIFETIME.toNanos() - 8)).hasValue(session);
        assertThat(sessions.find(session.id(), LIFETIME.toNanos() - 7)).isEmpty();
        sessions.removeExpired(credentials(ann), LIFETIME.toNanos());
        assertThat(sessions.count()).isZero();
    }

    @Test
    void theOldestSessionOfTheUserIsEvicted() {
        LoginSession first = sessions.begin(ann, LIFETIME, 0);
        LoginSession other = sessions.begin(ben, LIFETIME, 0);
        for (int i = 0; i < Sessions.MAX_PER_USER; i++) {
            sessions.begin(ann, LIFETIME, 0);
        }

        assertThat(sessions.count()).isEqualTo(Sessions.MAX_PER_USER + 1);
        assertThat(sessions.find(first.id(), 0)).isEmpty();
        assertThat(sessions.find(other.id(), 0)).isPresent();
    }

    @Test
    void sessionsOfChangedUsersAreRemoved() {
        LoginSession ofAnn = sessions.begin(ann, LIFETIME, 0);
        LoginSession ofBen = sessions.begin(ben, LIFETIME, 0);

        sessions.removeExpired(credentials(ann, new DashboardUser("ben", ANY, Role.OPERATOR)), 0);
        assertThat(sessions.find(ofAnn.id(), 0)).isPresent();
        assertThat(sessions.find(ofBen.id(), 0)).isEmpty();

        sessions.removeExpired(credentials(), 0);
        assertThat(sessions.count()).isZero();
    }

    private static Credentials credentials(DashboardUser... users) {
        return new Credentials(new DashboardAccess(List.of(users), List.of(), LIFETIME, List.of(), false));
    }
}
