package io.ballast.dns.answer.forwarded;

import io.ballast.dns.forward.question.Question;
import java.util.List;

/**
 * The event loops that query resolvers. The loop of a query depends only on the question, not on the client. Immutable.
 */
public final class ForwardLoops {

    private final ResolverLoop[] loops;

    public ForwardLoops(List<ResolverLoop> loops) {
        this.loops = loops.toArray(ResolverLoop[]::new);
    }

    /** Returns the event loop that resolves a question. */
    public ResolverLoop loopFor(Question question) {
        return loops[Math.floorMod(question.hashCode(), loops.length)];
    }
}
