package io.ballast.server.demo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Finds free ports of the loopback interface. */
public final class FreePorts {

    private FreePorts() {}

    /** Returns the preferred port if it is free, otherwise any free port. */
    public static int findFree(int preferred) throws IOException {
        try {
            return tryBind(preferred);
        } catch (IOException e) {
            return tryBind(0);
        }
    }

    /** Returns different ports that are free now. */
    public static List<Integer> findDistinct(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().map(ServerSocket::getLocalPort).toList();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    private static int tryBind(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
