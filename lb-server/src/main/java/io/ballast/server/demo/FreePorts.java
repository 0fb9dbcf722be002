package io.ballast.server.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds free ports of the loopback interface. */
public final class FreePorts {

    private FreePorts() {}

    /** Returns the preferred port if it is free now, otherwise any free port. */
    public static int findFree(int preferred) throws IOException {
        try {
            return tryBind(preferred);
        } catch (IOException e) {
            return tryBind(0);
        }
    }

    private static int tryBind(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
