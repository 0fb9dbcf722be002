package io.ballast.dns.net.stream;

import io.ballast.core.watchdog.Heartbeat;
import io.ballast.dns.answer.ActiveAnswerConfig;
import io.ballast.dns.answer.AnswerConfig;
import io.ballast.dns.answer.AnswerSettings;
import io.ballast.dns.answer.NonLocalResolverFactory;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.net.AnswerLoop;
import io.ballast.dns.net.AnswererFactory;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.net.timer.DeadlineWheel;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A connection without a socket, with a manual clock. */
public final class EmbeddedStream {

    public static final Duration IDLE = Duration.ofSeconds(10);
    public static final Duration MESSAGE = Duration.ofSeconds(5);

    /** Maximum delay of a deadline. */
    public static final int TICK_MILLIS = 2 * DeadlineWheel.TICK_MILLIS;

    private final DnsStats stats = new DnsStats(/* shards= */ 0);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final StreamConnection connection;

    /** Creates a connection with only the first handler; the test adds the handlers of the protocol. */
    public EmbeddedStream(ZoneFixture fixture) {
        this(fixture, /* nonLocal= */ null);
    }

    /** @param nonLocal source of answers for names outside the zones; null if such names are refused */
    public EmbeddedStream(ZoneFixture fixture, @Nullable NonLocalResolverFactory nonLocal) {
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AnswerConfig config = new AnswerConfig(zones.published(), AnswerSettings.OPEN, nonLocal);
        channel.freezeTime();
        AnswerLoop loop = new AnswerLoop(
                channel.eventLoop(),
                new Heartbeat("embedded", Duration.ofSeconds(1)),
                new AnswererFactory(new ActiveAnswerConfig(config), stats).acquire(),
                channel.eventLoop().ticker()::nanoTime);
        loop.start();
        StreamLoops loops = new StreamLoops(List.of(loop), new DnsTcpConfig(IDLE, MESSAGE, 10, 0, 64));
        connection = new StreamConnection(
                loops.of(channel.eventLoop()), new StreamService(StreamProtocol.TCP, Optional.empty()));
        if (!connection.admitClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711))) {
            throw new IllegalStateException("refused");
        }
        channel.pipeline().addLast(connection);
    }

    public EmbeddedChannel channel() {
        return channel;
    }

    public StreamConnection connection() {
        return connection;
    }

    public long sum(DnsCounter counter) {
        return stats.sum(counter);
    }

    /** Advances the clock in steps. */
    public void pass(long millis) {
        for (long left = millis; left > 0; left -= TICK_MILLIS) {
            channel.advanceTimeBy(Math.min(left, TICK_MILLIS), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }
}
