package io.ballast.dns.net.direct;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.net.AnswerContext;
import io.ballast.dns.net.UdpServer;
import io.ballast.net.listen.BindFailure;
import io.ballast.net.takeover.SharedSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads and sockets that serve UDP on one address. Thread safety: confined to the thread that starts
 * and closes this server.
 */
final class DirectUdpServer implements UdpServer {

    private static final Logger LOG = LoggerFactory.getLogger(DirectUdpServer.class);
    private static final Duration MAX_WAIT = Duration.ofSeconds(5);

    private final List<DirectLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    private final InetSocketAddress address;

    /**
     * Binds all sockets before any thread starts, because the kernel distributes clients among the existing
     * sockets.
     *
     * @param sockets bound sockets, one for each thread, or none
     */
    DirectUdpServer(InetSocketAddress address, List<AnswerContext> answering, List<Integer> sockets)
            throws IOException {
        this.address = address;
        try {
            for (AnswerContext each : answering) {
                String name = "dns-udp-" + address.getAddress().getHostAddress() + "-" + loops.size();
                loops.add(
                        sockets.isEmpty()
                                ? DirectLoop.bind(address, each, name)
                                : DirectLoop.adopt(sockets.get(loops.size()), address, each, name));
            }
            for (DirectLoop loop : loops) {
                String name = loop.heartbeat().name();
                threads.add(Thread.ofPlatform().daemon().name(name).start(loop));
            }
        } catch (IOException e) {
            close();
            answering.forEach(AnswerContext::release); // no thread has started yet
            throw BindFailure.at("UDP", address, e);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @Override
    public List<Heartbeat> heartbeats() {
        return loops.stream().map(DirectLoop::heartbeat).toList();
    }

    @Override
    public void start() {
        loops.forEach(DirectLoop::start);
    }

    @Override
    public List<SharedSocket> sharedSockets() {
        return loops.stream()
                .map(loop -> SharedSocket.of(SharedSocket.Kind.BLOCKING_UDP, address, loop.fd()))
                .toList();
    }

    @Override
    public void releaseToSuccessor() {
        loops.forEach(DirectLoop::leave);
    }

    @Override
    public void activate() {
        loops.forEach(DirectLoop::activate);
    }

    @Override
    public void drain() {
        loops.forEach(DirectLoop::drain);
    }

    @Override
    public void close() {
        loops.forEach(DirectLoop::stop);
        boolean interrupted = false;
        for (int i = 0; i < loops.size(); i++) {
            boolean ended = i >= threads.size();
            while (!ended) {
                try {
                    ended = threads.get(i).join(MAX_WAIT);
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (ended) {
                loops.get(i).close();
            } else {
                // The memory of the loop must not be freed while its thread uses it.
                LOG.error("the thread {} did not end in time", threads.get(i).getName());
            }
        }
        loops.clear();
        threads.clear();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
