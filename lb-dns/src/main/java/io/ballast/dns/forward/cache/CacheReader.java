package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.question.QuerySubnet;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import org.jspecify.annotations.Nullable;

/**
 * Gives one thread read access to the cache.
 *
 * <p>Thread safety: confined to one thread. Cost: one lookup; allocates nothing.
 */
public final class CacheReader {

    private final AnswerCache cache;
    private final Probe probe = new Probe();

    CacheReader(AnswerCache cache) {
        this.cache = cache;
    }

    /**
     * Returns the cached answer to a question, fresh or stale ({@link CacheEntry#isFresh}).
     *
     * @param name the name, whose hash has been computed
     * @param flags the flags of {@link Question}
     */
    public @Nullable CacheEntry find(QueryName name, int type, int flags, int group, long nowNanos) {
        probe.name = name;
        probe.type = type;
        probe.flags = flags;
        probe.group = group;
        return cache.find(probe, nowNanos);
    }

    /** Returns the cached answer to a question that is sent with a client subnet. */
    public @Nullable CacheEntry find(
            QueryName name, int type, int flags, int group, QuerySubnet subnet, long nowNanos) {
        probe.name = name;
        probe.type = type;
        probe.flags = flags | Question.BY_SUBNET;
        probe.group = group;
        return cache.find(probe, subnet.family(), subnet.bits(), subnet.high(), subnet.low(), nowNanos);
    }

    /** A mutable key for look-ups that avoids an allocation. Never stored. */
    private static final class Probe {

        private QueryName name = new QueryName(new NameHash(0, 0));
        private int type;
        private int flags;
        private int group;

        @Override
        public int hashCode() {
            return Question.mixHash(name.hash(0), type, flags, group);
        }

        @Override
        @SuppressWarnings("EqualsHashCode")
        public boolean equals(@Nullable Object other) {
            return other instanceof Question that
                    && that.type() == type
                    && that.flags() == flags
                    && that.group() == group
                    && that.hash() == name.hash(0)
                    && name.suffixEquals(0, that.name());
        }
    }
}
