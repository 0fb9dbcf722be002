package io.ballast.server.demo;

import io.ballast.core.config.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The four backends of the demonstration. The last one is at an address of its own, so that DNS answers with two addresses
 * and with one when that backend is down.
 */
public final class DemoBackends implements AutoCloseable {

    private static final int COUNT = 4;
    /** Linux and Windows have all of 127.0.0.0/8; macOS has 127.0.0.1 alone by default. */
    private static final byte[] OTHER_HOST = {127, 0, 0, 2};

    private final List<DemoBackend> backends = new ArrayList<>();

    private DemoBackends() {}

    /**
     * Starts them.
     *
     * @param first the port of the first one; the others follow it
     * @throws IOException if a port is in use and must not be another
     */
    public static DemoBackends start(DemoPort first) throws IOException {
        DemoBackends started = new DemoBackends();
        try {
            for (int i = 1; i < COUNT; i++) {
                started.backends.add(DemoBackend.start(i, InetAddress.getLoopbackAddress(), port(first, i)));
            }
            started.backends.add(last(port(first, COUNT)));
            return started;
        } catch (IOException e) {
            started.close();
            throw e;
        }
    }

    private static DemoPort port(DemoPort first, int number) {
        return first.number() == 0 ? first : new DemoPort(first.number() + number - 1, first.exact());
    }

    private static DemoBackend last(DemoPort port) throws IOException {
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
