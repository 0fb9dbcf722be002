package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a list.
 *
 * @param line of the list, from 1; one line may hold several rules
 * @param subject what {@code text} is
 * @param text a name in lower case without its last dot, an expression, a network, or a pattern as {@link NamePattern} has it
 * @param isAllowed whether it allows instead of blocking
 * @param isImportant whether it wins against every rule that is not
 * @param isCancelling whether it does nothing but cancel rules that are otherwise the same ({@code $badfilter})
 * @param answer if it blocks
 * @param address of {@link BlockAnswer#ADDRESS}
 */
public record FilterRule(
        int line,
        Subject subject,
        String text,
        boolean isAllowed,
        boolean isImportant,
        boolean isCancelling,
        BlockAnswer answer,
        @Nullable IpAddress address) {

    private static final Subject[] SUBJECTS = Subject.values();
    private static final int SUBJECT = 3;
    private static final int ALLOWED = 1 << 2;
    private static final int IMPORTANT = 1 << 3;
    private static final int ANSWER_SHIFT = 4;
    private static final int CANCELLING = 1 << 6;

    /** What a rule is about. */
    public enum Subject {
        /** A name and nothing else. */
        NAME,
        /** A name and all names below it. */
        TREE,
        /** All names below a name. */
        BELOW,
        /** Names in which an expression is found. */
        EXPRESSION,
        /** Addresses in answers. */
        NETWORK,
        /** Names that a pattern with wildcards or exceptions is found in. */
        PATTERN
    }

    /** A rule that blocks and has no modifiers. */
    static FilterRule block(int line, Subject subject, String text) {
        return new FilterRule(
                line,
                subject,
                text,
                /* isAllowed= */ false,
                /* isImportant= */ false,
                /* isCancelling= */ false,
                BlockAnswer.CONFIGURED,
                /* address= */ null);
    }

    /** The same, allowing. */
    FilterRule allowing() {
        return new FilterRule(
                line, subject, text, /* isAllowed= */ true, isImportant, isCancelling, BlockAnswer.CONFIGURED, null);
    }

    /** The same about something else. */
    FilterRule on(Subject other, String otherText) {
        return new FilterRule(line, other, otherText, isAllowed, isImportant, isCancelling, answer, address);
    }

    FilterRule answering(BlockAnswer other, @Nullable IpAddress with) {
        return new FilterRule(line, subject, text, isAllowed, isImportant, isCancelling, other, with);
    }

    /** All but line, text and address in 7 bits; what is not about names shares one subject. */
    int flags() {
        return Math.min(subject.ordinal(), SUBJECT)
                | (isAllowed ? ALLOWED : 0)
                | (isImportant ? IMPORTANT : 0)
                | answer.ordinal() << ANSWER_SHIFT
                | (isCancelling ? CANCELLING : 0);
    }

    static FilterRule of(int line, String name, int flags, @Nullable IpAddress address) {
        return new FilterRule(
                line,
                SUBJECTS[flags & SUBJECT],
                name,
                isAllowed(flags),
                isImportant(flags),
                isCancelling(flags),
                answer(flags),
                address);
    }

    /** Whether a name is what the rule of these flags is about, if the rule's name is it or stands above it. */
    static boolean covers(int flags, boolean isSameName) {
        int subject = flags & SUBJECT;
        return subject == Subject.TREE.ordinal() || isSameName == (subject == Subject.NAME.ordinal());
    }

    static boolean isAllowed(int flags) {
        return (flags & ALLOWED) != 0;
    }

    static int allowed(int flags) {
        return flags | ALLOWED;
    }

    static boolean isImportant(int flags) {
        return (flags & IMPORTANT) != 0;
    }

    static boolean isCancelling(int flags) {
        return (flags & CANCELLING) != 0;
    }

    static BlockAnswer answer(int flags) {
        return BlockAnswer.of(flags >>> ANSWER_SHIFT & 3);
    }

    /** A bit for subject, direction and importance: what must be the same for a rule to be cancelled. */
    static int kind(int flags) {
        return 1 << (flags & (SUBJECT | ALLOWED | IMPORTANT));
    }

    /** The rule as a line that means the same, in one style whatever the list's own is. */
    @Override
    public String toString() {
        if (address != null || answer != BlockAnswer.CONFIGURED) {
            return subject == Subject.TREE || isImportant ? asRewrite() : asRecord();
        }
        String modifiers =
                isImportant ? isCancelling ? "$important,badfilter" : "$important" : isCancelling ? "$badfilter" : "";
        String body =
                switch (subject) {
                    case NAME -> "|" + text + "^";
                    case TREE, NETWORK -> "||" + text + "^";
                    case BELOW -> "||*." + text + "^";
                    case EXPRESSION -> "/" + text + "/";
                    case PATTERN -> text;
                };
        String joined = body.contains("$") ? modifiers.replace('$', ',') : modifiers;
        boolean isExpression = subject == Subject.EXPRESSION;
        return (isAllowed ? "@@" : "") + body + (isExpression ? modifiers : joined);
    }

    private String asRewrite() {
        String begin = subject == Subject.NAME ? "|" : subject == Subject.BELOW ? "||*." : "||";
        String said = address != null
                ? address.toString().toLowerCase(Locale.ROOT)
                : answer == BlockAnswer.NODATA ? "NOERROR" : "NXDOMAIN";
        return begin + text + "^$dnsrewrite=" + said + (isImportant ? ",important" : "");
    }

    private String asRecord() {
        String owner = (subject == Subject.BELOW ? "*." : "") + text;
        if (address == null) {
            return owner + (answer == BlockAnswer.NODATA ? " CNAME *." : " CNAME .");
        }
        return owner
                + (address.isIpv4() ? " A " : " AAAA ")
                + address.toString().toLowerCase(Locale.ROOT);
    }
}
