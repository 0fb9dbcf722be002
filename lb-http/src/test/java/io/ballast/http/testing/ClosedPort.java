package io.ballast.http.testing;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** An address of this machine where nobody listens: a port that was free a moment ago. */
public final class ClosedPort {

    private ClosedPort() {}

    public static HostPort find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new HostPort("127.0.0.1", socket.getLocalPort());
        }
    }
}
