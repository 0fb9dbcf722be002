package io.ballast.dashboard.testing;

import io.ballast.dashboard.ListenerStats;
import java.util.Map;

/** A listener whose numbers are made up and told apart easily. */
public final class FakeListener implements ListenerStats {

    @Override
    public String name() {
        return "front";
    }

    @Override
    public String address() {
        return "127.0.0.1:8080";
    }

    @Override
    public long requests() {
        return 70;
    }

    @Override
    public long responses(int statusClass) {
        return statusClass * 10L;
    }

    @Override
    public long connectionsAccepted() {
        return 30;
    }

    @Override
    public int connectionsOpen() {
        return 4;
    }

    @Override
    public Map<String, Long> connectionsLimited() {
        return Map.of("limit", 5L);
    }

    @Override
    public Map<String, Long> failures() {
        return Map.of("no_route", 6L);
    }
}
