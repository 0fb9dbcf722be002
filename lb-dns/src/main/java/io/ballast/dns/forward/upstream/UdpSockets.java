package io.ballast.dns.forward.upstream;

import java.net.SocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The UDP sockets for one server. Each query uses a randomly chosen socket, which is opened on demand, so
 * that even rare queries have unpredictable ports. While the process has no free file descriptor, queries use
 * the sockets that are open. Event-loop confined.
 */
final class UdpSockets {

    private final UpstreamLoop loop;
    private final UpstreamServer server;
    private @Nullable UpstreamUdpSocket[] sockets = new UpstreamUdpSocket[0];

    UdpSockets(UpstreamLoop loop, UpstreamServer server) {
        this.loop = loop;
        this.server = server;
    }

    void send(Attempt attempt, SocketAddress address) {
        resize(loop.settings().udp().sockets());
        int first = loop.random().nextBelow(sockets.length);
        boolean mayOpen = !loop.isShortOfDescriptors() || !hasCapacity();
        AttemptFailure failure = AttemptFailure.TOO_MANY;
        for (int i = 0; i < sockets.length; i++) {
            int index = (first + i) % sockets.length;
            UpstreamUdpSocket socket = usable(index);
            if (socket == null && mayOpen) {
                socket = loop.open(server.backend(), () -> UpstreamUdpSocket.open(loop, server, address));
                sockets[index] = socket;
                mayOpen = socket != null;
            }
            if (socket == null) {
                failure = AttemptFailure.NO_DESCRIPTORS;
            } else if (socket.hasCapacity()) {
                socket.send(attempt);
                return;
            }
        }
        attempt.fail(failure);
    }

    /** Whether an open socket can take another query. */
    private boolean hasCapacity() {
        for (UpstreamUdpSocket socket : sockets) {
            if (socket != null && socket.hasCapacity() && !socket.needsReplacement()) {
                return true;
            }
        }
        return false;
    }

    /** Returns an open socket; null if there is none. Retires a socket that needs replacement. */
    private @Nullable UpstreamUdpSocket usable(int index) {
        UpstreamUdpSocket socket = sockets[index];
        if (socket != null && (socket.isRetired() || socket.needsReplacement())) {
            retire(index);
        }
        return sockets[index];
    }

    /** Adjusts the number of sockets after a reload of the settings. */
    private void resize(int count) {
        for (int i = count; i < sockets.length; i++) {
            retire(i);
        }
        if (sockets.length != count) {
            sockets = Arrays.copyOf(sockets, count);
        }
    }

    /** Closes expired sockets. */
    void closeExpired() {
        for (int i = 0; i < sockets.length; i++) {
            UpstreamUdpSocket socket = sockets[i];
            if (socket != null && socket.isTooOld()) {
                retire(i);
            }
        }
    }

    private void retire(int index) {
        UpstreamUdpSocket socket = sockets[index];
        if (socket != null) {
            socket.retire();
            sockets[index] = null;
        }
    }
}
