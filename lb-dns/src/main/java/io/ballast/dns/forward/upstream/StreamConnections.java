package io.ballast.dns.forward.upstream;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The connections of one protocol to one server. Event-loop confined. */
final class StreamConnections {

    private final UpstreamLoop loop;
    private final List<StreamConnection> connections = new ArrayList<>(2);

    StreamConnections(UpstreamLoop loop) {
        this.loop = loop;
    }

    /**
     * @param anew whether connections that were there before are to be avoided
     * @param opening opens another one
     */
    void send(Attempt attempt, boolean anew, Supplier<@Nullable StreamConnection> opening) {
        connections.removeIf(Lane::isRetired);
        StreamConnection chosen = chosen(anew);
        if (chosen == null && connections.size() < loop.settings().streams().connections()) {
            chosen = opening.get();
            if (chosen == null) {
                attempt.fail(AttemptFailure.TLS);
                return;
            }
            connections.add(chosen);
        }
        if (chosen == null) {
            chosen = chosen(/* anew= */ false);
        }
        if (chosen == null) {
            attempt.fail(AttemptFailure.TOO_MANY);
        } else {
            chosen.send(attempt);
        }
    }

    /** The first one that has room: those behind it may get idle. */
    private @Nullable StreamConnection chosen(boolean anew) {
        for (StreamConnection connection : connections) {
            if (connection.hasRoom() && !(anew && connection.isReused())) {
                return connection;
            }
        }
        return null;
    }

    void retire() {
        List.copyOf(connections).forEach(Lane::retire);
        connections.clear();
    }
}
