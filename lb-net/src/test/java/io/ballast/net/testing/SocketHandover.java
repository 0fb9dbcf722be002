package io.ballast.net.testing;

import static java.util.Objects.requireNonNull;

import io.ballast.net.takeover.InheritedSockets;
import io.ballast.net.takeover.ProcessLink;
import io.ballast.net.takeover.SharedSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Passes sockets through a Unix socket, like a process that hands them over to another process. Returns the same
 * sockets with other descriptors.
 */
public final class SocketHandover {

    private static final Duration SOON = Duration.ofSeconds(10);

    private SocketHandover() {}

    /** @param vacated ports whose sockets the first process keeps until it exits */
    public static InheritedSockets on(List<SharedSocket> sockets, Set<Integer> vacated) throws IOException {
        InheritedSockets inherited = on(sockets);
        vacated.forEach(inherited::addVacated);
        return inherited;
    }

    public static InheritedSockets on(List<SharedSocket> sockets) throws IOException {
        Path directory = Files.createTempDirectory("passed");
        InheritedSockets inherited = new InheritedSockets();
        Path path = directory.resolve("link");
        try (ProcessLink.Acceptor acceptor = new ProcessLink.Acceptor(path);
                ProcessLink to = ProcessLink.connect(path);
                ProcessLink from =
                        requireNonNull(acceptor.await(ProcessHandle.current().pid(), () -> true, SOON))) {
            for (SharedSocket socket : sockets) {
                from.send(socket.name().text(), SOON);
                from.sendDescriptor(socket.fd(), SOON);
                inherited.add(new SharedSocket(SharedSocket.Name.parse(to.receive(SOON)), to.receiveDescriptor(SOON)));
            }
        } finally {
            Files.delete(directory);
        }
        return inherited;
    }
}
