package io.ballast.dns.follow;

import io.ballast.core.backend.Backend;
import io.ballast.dns.answer.AddressFamily;
import io.ballast.dns.answer.ForwardedSource;
import io.ballast.dns.forward.Forwarding;
import io.ballast.dns.forward.Upstream;
import io.ballast.dns.forward.Waiter;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/**
 * Asks for followed names by the forwarder of this process: by its event loops, its upstreams and their connections, with its
 * deadlines and its validation. A suffix decides which upstreams are asked; routes that are for some clients only do not count,
 * since no client asks.
 *
 * <p>What the forwarder keeps is left alone: an answer out of it would be half over when it is asked for, and so would the next.
 * Neither the networks that may ask nor lists count, which are about clients; and no {@link
 * io.ballast.dns.forward.Places place} is taken, lest a flood of queries cut services off from their addresses: {@link Questions}
 * have a bound of their own.
 *
 * <p>Thread safety: any thread may call it.
 */
public final class ForwarderAsking implements Asking {

    private static final Reply.Failed GONE = new Reply.Failed("dns.forward is gone");

    private final NameHash hash;
    private final Executor executor;
    private volatile @Nullable ForwardedSource source;

    /**
     * @param hash of the names of queries
     * @param executor reads answers
     */
    public ForwarderAsking(NameHash hash, Executor executor) {
        this.hash = hash;
        this.executor = executor;
    }

    /** Asks there from now on; null to ask nobody. */
    public void source(@Nullable ForwardedSource next) {
        source = next;
    }

    @Override
    public void ask(String name, AddressFamily family, Consumer<Reply> to) {
        ForwardedSource present = source;
        if (present == null) {
            to.accept(GONE);
            return;
        }
        Forwarding forwarding = present.forwarding();
        QueryName parsed = new QueryName(hash);
        byte[] wire;
        try {
            wire = Name.fromString(name, Name.root).toWireCanonical();
        } catch (TextParseException e) {
            to.accept(new Reply.Failed("'" + name + "' is no domain name"));
            return;
        }
        parsed.read(wire, 0, wire.length);
        parsed.hash();
        Upstream upstream = forwarding.routes().find(parsed, /* high= */ 0, /* low= */ 0);
        int flags = forwarding.settings().flags(/* isDnssecOk= */ false, /* isCheckingDisabled= */ false);
        Question question = Question.of(parsed, family.type(), flags | Question.UNKEPT, upstream.group());
        try {
            present.loops()
                    .of(question)
                    .forwarder()
                    .ask(question, upstream, forwarding.settings().keepingNothing(), new Asked(question, to));
        } catch (RejectedExecutionException e) {
            to.accept(new Reply.Failed("the event loop that asks has ended"));
        }
    }

    /** Has answers read where there is time for that. */
    private final class Asked implements Waiter {

        private final Question question;
        private final Consumer<Reply> to;

        Asked(Question question, Consumer<Reply> to) {
            this.question = question;
            this.to = to;
        }

        @Override
        public void answered(KeptAnswer answer, @Nullable Backend by) {
            executor.execute(() -> to.accept(ReplyReader.read(question, answer)));
        }

        @Override
        public void stale(KeptAnswer answer) {
            failed(); // it says what is known here already
        }

        @Override
        public void failed() {
            to.accept(new Reply.Failed("no resolver answered in time"));
        }
    }
}
