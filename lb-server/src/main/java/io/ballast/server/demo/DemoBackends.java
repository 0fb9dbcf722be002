package io.ballast.server.demo;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The four backends of the demonstration. The last one has its own address, so that DNS answers contain two addresses,
 * or only one address while that backend is down.
 */
public final class DemoBackends implements AutoCloseable {

    private static final int COUNT = 4;
    /**
     * An address that works on Linux and Windows, where all of 127.0.0.0/8 is local; macOS has only 127.0.0.1 by
     * default.
     */
    private static final byte[] OTHER_HOST = {127, 0, 0, 2};

    private final List<DemoBackend> backends = new ArrayList<>();

    private DemoBackends() {}

    /**
     * Starts the backends.
     *
     * @param first the port of the first backend; the other backends use the following ports
     * @throws IOException if a port is in use and no other port is allowed
     */
    public static DemoBackends start(DemoPort first) throws IOException {
        DemoBackends started = new DemoBackends();
        try {
            for (int i = 1; i < COUNT; i++) {
                started.backends.add(DemoBackend.start(i, InetAddress.getLoopbackAddress(), port(first, i)));
            }
            started.backends.add(startLast(port(first, COUNT)));
            return started;
        } catch (IOException e) {
            started.close();
            throw e;
        }
    }

    private static DemoPort port(DemoPort first, int number) {
        return first.number() == 0 ? first : new DemoPort(first.number() + number - 1, first.exact());
    }

    private static DemoBackend startLast(DemoPort port) throws IOException {
        try {
            return DemoBackend.start(COUNT, InetAddress.getByAddress(OTHER_HOST), port);
        } catch (IOException e) {
            return DemoBackend.start(COUNT, InetAddress.getLoopbackAddress(), port);
        }
    }

    public List<HostPort> addresses() {
        return backends.stream().map(DemoBackend::address).toList();
    }

    @Override
    public void close() {
        backends.forEach(DemoBackend::close);
    }
}
