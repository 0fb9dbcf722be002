package io.ballast.policy.oidc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.policy.oidc.provider.UserGrant;
import io.ballast.policy.oidc.session.SessionContent;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RefreshTableTest {

    private final RefreshTable table = new RefreshTable();

    @Test
    void oldRefreshesAreRemovedAfterTheClockWasSetBack() {
        long day = 86_400_000;
        table.sweep(10 * day);
        SessionContent content = new SessionContent("a", 0, day, new UserGrant(Map.of(), "", "r", 1000));
        SessionRefresh old = new SessionRefresh(content, /* nowMillis= */ 0);
        old.outcome().complete(RefreshOutcome.refused());
        table.replace("a", /* last= */ null, old);

        table.sweep(SessionRefresh.KEPT_MILLIS);

        assertThat(table.find("a")).isNull();
    }
}
