package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.cache.AnswerJudge;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import org.jspecify.annotations.Nullable;

/**
 * Judges what answers lead to by the rules of the moment.
 *
 * <p>Thread safety: confined to one thread.
 */
public final class AnswerFilter implements AnswerJudge {

    private final QueryName scratch;
    private @Nullable NameFilter filter;

    public AnswerFilter(NameHash hash) {
        this.scratch = new QueryName(hash);
    }

    /** The filter of the question whose answer comes next; null if there is none. */
    public AnswerFilter by(@Nullable NameFilter next) {
        filter = next;
        return this;
    }

    @Override
    public long alias(byte[] name, int length) {
        return filter == null
                ? FilterVerdict.NONE
                : filter.table().judge(scratch, name, /* start= */ 0, length, FilterTable.ALL_LISTS);
    }

    @Override
    public long address(int type, byte[] message, int at, int length) {
        if (filter == null || filter.table().hasNoNetworks()) {
            return FilterVerdict.NONE;
        }
        int expected = type == RecordType.A ? 4 : 16;
        if (length != expected) {
            return FilterVerdict.NONE;
        }
        byte[] octets = java.util.Arrays.copyOfRange(message, at, at + length);
        return filter.table()
                .judgeAddress(IpAddress.high(octets, length), IpAddress.low(octets, length), FilterTable.ALL_LISTS);
    }

    @Override
    public boolean isBlocked(long verdict) {
        return FilterVerdict.isBlocked(verdict);
    }

    @Override
    public boolean isAllowed(long verdict) {
        return FilterVerdict.isAllowed(verdict);
    }
}
