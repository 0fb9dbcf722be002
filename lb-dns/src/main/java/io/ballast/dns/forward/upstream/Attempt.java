package io.ballast.dns.forward.upstream;

import io.ballast.core.backend.Backend;
import io.ballast.dns.forward.question.Question;
import io.ballast.net.timer.DeadlineWheel;
import org.jspecify.annotations.Nullable;

/** One question to one server, until it is answered, has failed, or is cancelled. Event-loop confined. */
public final class Attempt {

    /** The maximum number of rewritten queries: in lower case, without EDNS, and twice with a cookie. */
    private static final int MAX_FORMS = 4;

    private final UpstreamLoop loop;
    private final UpstreamServer server;
    private final Question question;
    private final UpstreamProtocol protocol;
    private final String path;
    private final long client;
    private final Listener listener;
    private final long sentNanos;
    private final Timeout timeout = new Timeout();

    private @Nullable QueryMessage query;
    /** How it is written; null before it is sent. */
    private @Nullable QueryForm form;
    /** The number of rewrites after responses of the server. */
    private int forms;

    private boolean withoutEdns;
    private @Nullable UpstreamChannel lane;
    private @Nullable AttemptFailure refusal;
    private int id;
    private boolean reuses;
    private boolean retried;
    private boolean over;

    /** Receives the result of an attempt: exactly one call, unless it is cancelled. It may query and cancel meanwhile. */
    public interface Listener {

        /**
         * Receives a response. Id, question and letter case match the query; the rest is not checked.
         *
         * @param message its first {@code length} bytes are the response; valid during this call only
         */
        void answered(Attempt attempt, byte[] message, int length);

        void failed(Attempt attempt, AttemptFailure why);
    }

    Attempt(
            UpstreamLoop loop,
            UpstreamServer server,
            Question question,
            UpstreamProtocol protocol,
            String path,
            long client,
            Listener listener) {
        this.loop = loop;
        this.server = server;
        this.question = question;
        this.protocol = protocol;
        this.path = path;
        this.client = client;
        this.listener = listener;
        this.sentNanos = loop.clock().readClock();
        server.started(client);
        loop.clock().setDeadline(timeout, loop.settings().attemptTimeout());
    }

    public Backend backend() {
        return server.backend();
    }

    public Question question() {
        return question;
    }

    public UpstreamProtocol protocol() {
        return protocol;
    }

    /** Returns the path of the HTTP request. */
    String path() {
        return path;
    }

    /** Returns the send time on the event loop's clock, which is updated before the listener is called. */
    public long sentNanos() {
        return sentNanos;
    }

    /** Cancels the attempt. The listener is not called any more. */
    public void cancel() {
        if (!over) {
            end();
        }
    }

    /** Cancels the send; the listener receives the failure later. */
    void refuse(AttemptFailure why) {
        refusal = why;
    }

    /** It goes out, unless it was cancelled meanwhile. */
    void send() {
        if (refusal != null) {
            fail(refusal);
        } else if (!over) {
            server.send(this, protocol);
        }
    }

    /** Assigns the attempt to a channel. */
    void enter(UpstreamChannel next, int nextId, boolean isReused) {
        lane = next;
        id = nextId;
        reuses = isReused;
    }

    /** Returns its id on its channel. */
    int id() {
        return id;
    }

    boolean isOver() {
        return over;
    }

    /** Removes the attempt from its connection, so that it can be sent on another one. */
    void leave() {
        UpstreamChannel left = lane;
        lane = null;
        if (left != null) {
            left.release(id);
        }
    }

    /**
     * For how many leading bits of the client's network its answer is the same: 0 for everybody, {@link
     * io.ballast.dns.forward.question.ClientSubnet#UNSHARED} if it says nothing of others.
     */
    public int scope() {
        return query().scope();
    }

    QueryMessage query() {
        if (query == null) {
            query = QueryMessage.of(question, form(), loop.random());
        }
        return query;
    }

    private QueryForm form() {
        if (form == null) {
            form = server.traits()
                    .form(
                            question,
                            protocol,
                            loop.settings().mixedCase(),
                            loop.clock().now());
        }
        return form;
    }

    /** Records that it was sent by UDP. */
    void sentByUdp() {
        server.traits().sent(form(), loop.clock().now());
    }

    /** Returns whether a response with the name in another case may be genuine, so that the query is sent again. */
    boolean takesOtherCase() {
        if (!form().mixesCase()) {
            return false;
        }
        rewrite(server.traits().changedCase(form(), loop.clock().now()));
        return true;
    }

    /**
     * Processes a response; returns whether the server needs the query in another form, so that it must be sent
     * again.
     */
    boolean takesOtherForm(byte[] message, int length) {
        QueryForm sent = form();
        QueryForm next = server.traits()
                .answered(
                        sent,
                        question,
                        withoutEdns,
                        message,
                        length,
                        query().questionEnd(message),
                        loop.random(),
                        loop.clock().now());
        if (next == null || forms >= MAX_FORMS) {
            return false;
        }
        withoutEdns = sent.hasEdns() && !next.hasEdns();
        rewrite(next);
        return true;
    }

    private void rewrite(QueryForm next) {
        forms++;
        form = next;
        query = null;
    }

    /**
     * Whether other forms over UDP have failed: the server may identify the client by its connection (RFC 7873
     * section 5.3).
     */
    boolean isLastForm() {
        return forms == MAX_FORMS;
    }

    /** The query in the form in which it is sent on this connection. */
    byte[] bytes() {
        return query().bytes(id);
    }

    /**
     * Whether the query may be sent once more after its connection was lost; only once.
     *
     * @param unprocessed whether the server has announced that it did not process the query
     */
    boolean takeRetry(boolean unprocessed) {
        boolean may = (reuses || unprocessed) && !retried;
        retried |= may;
        return may;
    }

    void answer(byte[] message, int length) {
        end();
        loop.count(UpstreamCounter.ANSWERED);
        try {
            listener.answered(this, message, length);
        } catch (RuntimeException e) {
            loop.defect(e); // the others still get their answers
        }
    }

    void fail(AttemptFailure why) {
        if (over) {
            return;
        }
        end();
        loop.count(
                switch (why) {
                    case TIMEOUT -> UpstreamCounter.TIMEOUTS;
                    case TOO_MANY -> UpstreamCounter.TOO_MANY;
                    default -> UpstreamCounter.FAILED;
                });
        try {
            listener.failed(this, why);
        } catch (RuntimeException e) {
            loop.defect(e);
        }
    }

    private void end() {
        over = true;
        loop.clock().deadlines().remove(timeout);
        leave();
        server.ended(client);
    }

    private final class Timeout extends DeadlineWheel.Deadline {
        @Override
        protected void expired(long nowNanos) {
            if (lane != null) {
                lane.timedOut(Attempt.this);
            }
            fail(AttemptFailure.TIMEOUT);
        }
    }
}
