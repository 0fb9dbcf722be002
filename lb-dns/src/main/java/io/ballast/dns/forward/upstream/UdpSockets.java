package io.ballast.dns.forward.upstream;

import java.net.SocketAddress;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The UDP sockets for one server. Each query uses a randomly chosen socket, which is opened on demand, so
 * that even rare queries have unpredictable ports. Event-loop confined.
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
        for (int i = 0; i < sockets.length; i++) {
            UpstreamUdpSocket socket = socket((first + i) % sockets.length, address);
            if (socket.hasCapacity()) {
                socket.send(attempt);
                return;
            }
        }
        attempt.fail(AttemptFailure.TOO_MANY);
    }

    private UpstreamUdpSocket socket(int index, SocketAddress address) {
        UpstreamUdpSocket socket = sockets[index];
        if (socket != null && !socket.isRetired() && !socket.needsReplacement()) {
            return socket;
        }
        if (socket != null) {
            socket.retire();
        }
        UpstreamUdpSocket next = UpstreamUdpSocket.open(loop, server, address);
        sockets[index] = next;
        return next;
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
