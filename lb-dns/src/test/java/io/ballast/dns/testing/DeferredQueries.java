package io.ballast.dns.testing;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.NonLocalResolver;
import io.ballast.dns.answer.NonLocalResolverFactory;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.wire.Query;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Section;

/**
 * Holds queries for names outside the zones until the test answers them, in any order and on a thread other than the
 * receiving one.
 */
public final class DeferredQueries implements NonLocalResolverFactory {

    /** TTL of the answers in seconds. */
    public static final long TTL = 77;

    private static final long TIMEOUT_SECONDS = 10;

    private final List<HeldQuery> held = new ArrayList<>();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record HeldQuery(byte[] query, long arrivedNanos, ReplyPath path) {}

    @Override
    public NonLocalResolver forThread(Counters.Shard<DnsCounter> counters) {
        return new Holder();
    }

    /** Defers every query. */
    private final class Holder implements NonLocalResolver {

        @Override
        public AnswerResult answer(
                Query query, Client client, byte[] out, int limit, Transport transport, Deferral deferral) {
            hold(query, client, deferral);
            return AnswerResult.DEFERRED;
        }

        @Override
        public int responseLength() {
            return 0;
        }
    }

    private synchronized void hold(Query query, Client client, Deferral deferral) {
        byte[] question = Arrays.copyOf(query.message(), query.questionEnd());
        Arrays.fill(question, 6, 12, (byte) 0);
        held.add(new HeldQuery(question, client.arrivedNanos(), deferral.defer()));
        notifyAll();
    }

    /** Number of queries received. */
    public synchronized int count() {
        return held.size();
    }

    /** Time at which the query number {@code index} was read. */
    public synchronized long arrivedNanos(int index) {
        return held.get(index).arrivedNanos();
    }

    /** Waits for {@code count} queries. */
    public synchronized void await(int count) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS);
        while (held.size() < count) {
            assertThat(System.nanoTime()).isLessThan(end);
            TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
        }
    }

    /** Answers query {@code index}, counted from 0; returns when the answer is queued. */
    public void answer(int index) {
        CompletableFuture.runAsync(() -> send(index)).join();
    }

    /**
     * Like {@link #answer}, but on the calling thread and without a flush. Returns the action that flushes, or
     * null.
     */
    public @Nullable Runnable answerSoon(int index) {
        return send(index, ReplyPath::sendBuffered);
    }

    private interface ReplyAction {
        @Nullable Runnable send(ReplyPath path, byte[] response, int length);
    }

    private void send(int index) {
        send(index, (path, response, length) -> {
            path.send(response, length);
            return null;
        });
    }

    private @Nullable Runnable send(int index, ReplyAction sending) {
        HeldQuery query;
        synchronized (this) {
            query = held.get(index);
        }
        Message response = Messages.parse(query.query());
        response.getHeader().setFlag(Flags.QR);
        Name name = response.getQuestion().getName();
        response.addRecord(new ARecord(name, 1, TTL, new byte[] {(byte) 203, 0, 113, 1}), Section.ANSWER);
        byte[] wire = response.toWire();
        byte[] buffer = Arrays.copyOf(wire, wire.length + 1);
        Runnable rest = sending.send(query.path(), buffer, wire.length);
        Arrays.fill(buffer, (byte) 0xff);
        return rest;
    }
}
