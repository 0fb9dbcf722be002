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
 * The sockets inherited from the previous process, until their new owners take them. Closing this object closes the
 * sockets that were not taken; the other process's descriptors are unaffected.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class InheritedSockets implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(InheritedSockets.class);

    private final Map<SharedSocket.Name, List<Integer>> remainingSockets = new LinkedHashMap<>();
    private final List<InetSocketAddress> addresses = new ArrayList<>();
    private final Set<Integer> vacatedPorts = new HashSet<>();

    /** An empty set, for a process that was started without a predecessor. */
    public static InheritedSockets none() {
        return new InheritedSockets();
    }

    /** Adds a socket. */
    public synchronized void add(SharedSocket socket) {
        remainingSockets
                .computeIfAbsent(socket.name(), name -> new ArrayList<>())
                .add(socket.fd());
        if (socket.name().kind() != SharedSocket.Kind.UNIX) {
            addresses.add(socket.address());
        }
    }

    /** Adds a TCP port whose sockets the other process keeps; that process closes the sockets when it exits. */
    public synchronized void addVacated(int port) {
        vacatedPorts.add(port);
    }

    /** Whether a TCP port that is in use will be free when the process that handed over its sockets exits. */
    public synchronized boolean isVacated(int port) {
        return vacatedPorts.contains(port);
    }

    /** Whether there is a matching socket that has not been taken yet. */
    public synchronized boolean has(SharedSocket.Kind kind, InetSocketAddress address) {
        return remainingSockets.containsKey(SharedSocket.Name.of(kind, address));
    }

    /**
     * Takes the matching sockets and returns their descriptors, which the caller then owns. Returns an empty
     * list if no socket matches, or if the matching sockets were already taken.
     */
    public synchronized List<Integer> takeDescriptors(SharedSocket.Kind kind, InetSocketAddress address) {
        return takeDescriptors(SharedSocket.Name.of(kind, address));
    }

    /** Like {@link #takeDescriptors(SharedSocket.Kind, InetSocketAddress)}, for the Unix socket at a path. */
    public synchronized List<Integer> takeDescriptors(String path) {
        return takeDescriptors(new SharedSocket.Name(SharedSocket.Kind.UNIX, path));
    }

    private List<Integer> takeDescriptors(SharedSocket.Name name) {
        List<Integer> taken = remainingSockets.remove(name);
        return taken == null ? List.of() : List.copyOf(taken);
    }

    /** The addresses of the inherited TCP and UDP sockets, including those already taken. */
    public synchronized List<InetSocketAddress> addresses() {
        return List.copyOf(addresses);
    }

    /** The number of inherited sockets that no owner has taken yet. */
    public synchronized int size() {
        return remainingSockets.values().stream().mapToInt(List::size).sum();
    }

    /** Closes the inherited sockets that no listener has taken over. */
    @Override
    public synchronized void close() {
        remainingSockets.forEach((name, sockets) -> sockets.forEach(fd -> close(name, fd)));
        remainingSockets.clear();
        addresses.clear();
    }

    private static void close(SharedSocket.Name name, int fd) {
        try {
            new FileDescriptor(fd).close();
        } catch (IOException e) {
            LOG.warn("msg=\"could not close an unused inherited socket\" socket=\"{}\"", name.text(), e);
        }
    }
}
