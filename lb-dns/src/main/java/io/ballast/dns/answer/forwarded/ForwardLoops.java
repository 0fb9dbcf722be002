package io.ballast.dns.answer.forwarded;

import io.ballast.dns.forward.question.Question;
import java.util.List;

/** The event loops that query resolvers. Each question belongs to one loop, independent of the client. Immutable. */
public final class ForwardLoops {

    private final ForwardLoop[] loops;

    public ForwardLoops(List<ForwardLoop> loops) {
        this.loops = loops.toArray(ForwardLoop[]::new);
    }

    /** The event loop that a question belongs to. */
    public ForwardLoop of(Question question) {
        return loops[Math.floorMod(question.hashCode(), loops.length)];
    }
}
