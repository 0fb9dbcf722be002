package io.ballast.net.takeover;

import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets that this process was given by the one before it, until they are taken by what serves them. What nothing takes
 * is closed, which leaves the other process's untouched.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class InheritedSockets implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InheritedSockets.class);

    private final Map<SharedSocket.Name, List<Integer>> left = new LinkedHashMap<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Set<Integer> vacated = new HashSet<>();

    /** Those of a process that was started alone. */
    public static InheritedSockets none() {
        return new InheritedSockets();
    }

    /** One more. */
    public synchronized void add(SharedSocket socket) {
        left.computeIfAbsent(socket.name(), name -> new ArrayList<>()).add(socket.fd());
        if (socket.name().kind() != SharedSocket.Kind.UNIX) {
            addresses.add(socket.address());
        }
    }

    /** A port of TCP whose sockets the other process keeps, and closes when it leaves. */
    public synchronized void addVacated(int port) {
        vacated.add(port);
    }

    /** Whether a port of TCP that is in use will be free when the other process leaves. */
    public synchronized boolean isVacated(int port) {
        return vacated.contains(port);
    }

    /** Whether there is one left. */
    public synchronized boolean has(SharedSocket.Kind kind, InetSocketAddress address) {
        return left.containsKey(SharedSocket.Name.of(kind, address));
    }

    /** Their numbers; who asks owns them from then on. Empty if there is none, or if they were taken. */
    public synchronized List<Integer> take(SharedSocket.Kind kind, InetSocketAddress address) {
        return take(SharedSocket.Name.of(kind, address));
    }

    /** The same for the one that listens at a path. */
    public synchronized List<Integer> take(String path) {
        return take(new SharedSocket.Name(SharedSocket.Kind.UNIX, path));
    }

    private List<Integer> take(SharedSocket.Name name) {
        List<Integer> taken = left.remove(name);
        return taken == null ? List.of() : List.copyOf(taken);
    }

    /** Where the other process has sockets that are no Unix sockets, also those that were taken. */
    public synchronized List<InetSocketAddress> addresses() {
        return List.copyOf(addresses);
    }

    /** How many are left. */
    public synchronized int size() {
        return left.values().stream().mapToInt(List::size).sum();
    }

    /** Closes what nothing has taken. */
    @Override
    public synchronized void close() {
        left.forEach((name, sockets) -> sockets.forEach(fd -> close(name, fd)));
        left.clear();
        addresses.clear();
    }

    private static void close(SharedSocket.Name name, int fd) {
        try {
            new FileDescriptor(fd).close();
        } catch (IOException e) {
            LOG.warn("msg=\"could not close a socket that was not needed\" socket=\"{}\"", name.text(), e);
        }
    }
}
