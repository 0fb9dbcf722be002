package io.ballast.dns.net;

import io.ballast.core.stats.Counters;
import io.ballast.dns.answer.AnswerResult;
import io.ballast.dns.answer.Answerer;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.answer.data.Client;
import io.ballast.dns.forward.Deferral;
import io.ballast.dns.stats.DnsCounter;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The context of an answering thread, for any transport: an {@link Answerer} and counters.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class AnswerContext {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerContext.class);
    private static final AtomicBoolean DEFECT_LOGGED = new AtomicBoolean();

    private final Answerer answerer;
    private final Counters.Shard<DnsCounter> counters;
    private final Consumer<AnswerContext> releaseListener;

    /** @param givenBack callback that receives this context when its thread has ended */
    AnswerContext(Answerer answerer, Counters.Shard<DnsCounter> counters, Consumer<AnswerContext> givenBack) {
        this.answerer = answerer;
        this.counters = counters;
        this.releaseListener = givenBack;
    }

    /**
     * Calls {@link Answerer#follow}, which switches to the active configuration and releases the inactive
     * configuration.
     */
    public void releaseInactiveConfig() {
        answerer.follow();
    }

    /** Called when a thread no longer uses the context. Another thread may use it afterwards. */
    public void release() {
        releaseListener.accept(this);
    }

    /** Calls {@link Answerer#answer}. */
    public AnswerResult answer(
            byte[] query, int length, Client client, byte[] response, Transport transport, Deferral deferral) {
        return answerer.answer(query, length, client, response, transport, deferral);
    }

    /** Calls {@link Answerer#responseLength}. */
    public int responseLength() {
        return answerer.responseLength();
    }

    public void count(DnsCounter counter) {
        counters.increment(counter);
    }

    public void count(DnsCounter counter, int times) {
        counters.add(counter, times);
    }

    /** Counts a socket error; an error that is not a network failure is a defect, and is logged once. */
    public void recordError(Throwable cause) {
        if (cause instanceof IOException) {
            return;
        }
        counters.increment(DnsCounter.ERRORS);
        if (DEFECT_LOGGED.compareAndSet(false, true)) {
            LOG.error("internal error in the DNS frontend; further errors are only counted", cause);
        }
    }
}
