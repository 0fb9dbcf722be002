package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One rule of a list.
 *
 * @param line the line in the list, from 1; one line may contain several rules
 * @param subject the meaning of {@code text}
 * @param text a name in lower case without its last dot, an expression, a network, or a pattern in the syntax of {@link
 *     NamePattern}
 * @param isAllowed whether the rule allows names instead of blocking them
 * @param isImportant whether the rule takes precedence over all rules that are not important
 * @param isCancelling whether the rule only cancels rules that are otherwise the same ({@code $badfilter})
 * @param answer the answer, if the rule blocks
 * @param address the address in the answer; used only with {@link BlockAnswer#ADDRESS}
 * @param target the alias target, in the form of {@code text}; empty unless the answer is {@link BlockAnswer#ALIAS}
 * @param condition the queries to which the rule applies; only for patterns and expressions
 */
public record FilterRule(
        int line,
        Subject subject,
        String text,
        boolean isAllowed,
        boolean isImportant,
        boolean isCancelling,
        BlockAnswer answer,
        @Nullable IpAddress address,
        String target,
        RuleCondition condition) {

    private static final Subject[] SUBJECTS = Subject.values();
    private static final int SUBJECT_MASK = 3;
    private static final int ALLOWED_FLAG = 1 << 2;
    private static final int IMPORTANT_FLAG = 1 << 3;
    private static final int ANSWER_SHIFT = 4;
    private static final int ANSWER_MASK = 7;
    private static final int CANCELLING_FLAG = 1 << 7;

    /** The subject of a rule. */
    public enum Subject {
        /** A single name. */
        NAME,
        /** A name and all names below it. */
        TREE,
        /** All names below a name. */
        BELOW,
        /** Names that contain a match of a regular expression. */
        EXPRESSION,
        /** Answers that contain an address of a network. */
        NETWORK,
        /** Names that match a pattern with wildcards or exceptions. */
        PATTERN;

        /** Whether a rule's text is a name. */
        boolean isName() {
            return this == NAME || this == TREE || this == BELOW;
        }
    }

    /** Creates a rule that blocks and has no modifiers. */
    public static FilterRule block(int line, Subject subject, String text) {
        return new FilterRule(
                line,
                subject,
                text,
                /* isAllowed= */ false,
                /* isImportant= */ false,
                /* isCancelling= */ false,
                BlockAnswer.CONFIGURED,
                /* address= */ null,
                /* target= */ "",
                RuleCondition.NONE);
    }

    /** Returns a copy that allows names instead of blocking them. */
    public FilterRule toAllowRule() {
        return new FilterRule(
                line,
                subject,
                text,
                /* isAllowed= */ true,
                isImportant,
                isCancelling,
                BlockAnswer.CONFIGURED,
                /* address= */ null,
                /* target= */ "",
                condition);
    }

    /** Returns a copy with another subject. */
    public FilterRule withSubject(Subject other, String otherText) {
        return new FilterRule(
                line, other, otherText, isAllowed, isImportant, isCancelling, answer, address, target, condition);
    }

    /** Returns a copy with another answer; {@code newAddress} is null unless it is {@link BlockAnswer#ADDRESS}. */
    public FilterRule withAnswer(BlockAnswer other, @Nullable IpAddress newAddress) {
        return withAnswer(other, newAddress, /* newTarget= */ "");
    }

    /** Returns a copy that answers with an alias. */
    public FilterRule withAlias(String newTarget) {
        return withAnswer(BlockAnswer.ALIAS, /* newAddress= */ null, newTarget);
    }

    private FilterRule withAnswer(BlockAnswer other, @Nullable IpAddress newAddress, String newTarget) {
        return new FilterRule(
                line, subject, text, isAllowed, isImportant, isCancelling, other, newAddress, newTarget, condition);
    }

    /**
     * Converts a rule for a name to a rule for a pattern, because only patterns and expressions can have
     * conditions and targets.
     */
    public FilterRule asPattern() {
        String pattern =
                switch (subject) {
                    case NAME -> "|" + text + "^";
                    case TREE -> "||" + text + "^";
                    case BELOW -> "*." + text + "^";
                    default -> text;
                };
        return withSubject(Subject.PATTERN, pattern);
    }

    /** Returns a copy with other modifiers. */
    public FilterRule withModifiers(boolean important, boolean cancelling, RuleCondition newCondition) {
        return new FilterRule(
                line, subject, text, isAllowed, important, cancelling, answer, address, target, newCondition);
    }

    /**
     * The flags of the rule in 8 bits. Subjects whose value does not fit share the largest value; these are the
     * subjects that are not names.
     */
    public int flags() {
        return Math.min(subject.ordinal(), SUBJECT_MASK)
                | (isAllowed ? ALLOWED_FLAG : 0)
                | (isImportant ? IMPORTANT_FLAG : 0)
                | answer.ordinal() << ANSWER_SHIFT
                | (isCancelling ? CANCELLING_FLAG : 0);
    }

    public static FilterRule of(int line, String name, int flags, @Nullable IpAddress address) {
        return new FilterRule(
                line,
                SUBJECTS[flags & SUBJECT_MASK],
                name,
                isAllowed(flags),
                isImportant(flags),
                isCancelling(flags),
                answer(flags),
                address,
                /* target= */ "",
                RuleCondition.NONE);
    }

    /**
     * Returns whether a rule with these flags applies to a name, given that the rule's name equals the name or is a
     * parent of it.
     */
    public static boolean covers(int flags, boolean isSameName) {
        int subject = flags & SUBJECT_MASK;
        return subject == Subject.TREE.ordinal() || isSameName == (subject == Subject.NAME.ordinal());
    }

    public static boolean isAllowed(int flags) {
        return (flags & ALLOWED_FLAG) != 0;
    }

    public static int setAllowed(int flags) {
        return flags | ALLOWED_FLAG;
    }

    public static boolean isImportant(int flags) {
        return (flags & IMPORTANT_FLAG) != 0;
    }

    public static boolean isCancelling(int flags) {
        return (flags & CANCELLING_FLAG) != 0;
    }

    public static BlockAnswer answer(int flags) {
        return BlockAnswer.of(flags >>> ANSWER_SHIFT & ANSWER_MASK);
    }

    /**
     * Returns a bit for the combination of subject, effect (allow or block) and importance. A cancelling rule
     * cancels only rules with the same combination.
     */
    public static int cancelMask(int flags) {
        return 1 << (flags & (SUBJECT_MASK | ALLOWED_FLAG | IMPORTANT_FLAG));
    }

    /** The rule as a line in a canonical format. */
    @Override
    public String toString() {
        boolean isRecord =
                (subject == Subject.NAME || subject == Subject.BELOW) && !isImportant && !RpzParser.isTrigger(text);
        if (isRecord && (address != null || answer == BlockAnswer.NXDOMAIN || answer == BlockAnswer.NODATA)) {
            return toRecordText();
        }
        String body =
                switch (subject) {
                    case NAME -> "|" + text + "^";
                    case TREE, NETWORK -> "||" + text + "^";
                    case BELOW -> "||*." + text + "^";
                    case EXPRESSION -> "/" + text + "/";
                    case PATTERN -> text;
                };
        List<String> modifiers = modifiers();
        boolean hasDollar = subject == Subject.PATTERN && text.indexOf('$') >= 0;
        String joined = modifiers.isEmpty() ? "" : (hasDollar ? "," : "$") + String.join(",", modifiers);
        return (isAllowed ? "@@" : "") + body + joined;
    }

    private List<String> modifiers() {
        List<String> modifiers = new ArrayList<>();
        if (answer != BlockAnswer.CONFIGURED) {
            modifiers.add("dnsrewrite=" + rewriteValue());
        }
        if (!condition.isNone()) {
            modifiers.add(condition.text());
        }
        if (isImportant) {
            modifiers.add("important");
        }
        if (isCancelling) {
            modifiers.add("badfilter");
        }
        return modifiers;
    }

    private String rewriteValue() {
        return switch (answer) {
            case NODATA -> "NOERROR";
            case ALIAS -> target;
            case ADDRESS -> String.valueOf(address).toLowerCase(Locale.ROOT);
            default -> answer.name();
        };
    }

    private String toRecordText() {
        String owner = (subject == Subject.BELOW ? "*." : "") + text;
        if (address == null) {
            return owner + (answer == BlockAnswer.NODATA ? " CNAME *." : " CNAME .");
        }
        return owner
                + (address.isIpv4() ? " A " : " AAAA ")
                + address.toString().toLowerCase(Locale.ROOT);
    }
}
