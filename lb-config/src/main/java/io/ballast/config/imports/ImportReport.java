package io.ballast.config.imports;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Records the result for each directive of an imported file. Thread safety: confined to one thread. */
public final class ImportReport {

    /** How closely the converted directive matches the original directive. */
    public enum Verdict {
        /** The converted directive means the same as the original directive. */
        SAME("same"),
        /** The converted directive differs in meaning from the original; the report describes the difference. */
        CHANGED("changed"),
        /** The directive was not converted. */
        NO_EQUAL("no equivalent");

        private final String words;

        Verdict(String words) {
            this.words = words;
        }

        @Override
        public String toString() {
            return words;
        }
    }

    private record Finding(Verdict verdict, String words) {}

    private final IdentityHashMap<Directive, Set<Finding>> findings = new IdentityHashMap<>();
    private final List<Directive> inOrder = new ArrayList<>();
    private final List<String> omitted = new ArrayList<>();

    /** Registers the directives of a file, including those in nested blocks, in the order of the report. */
    public void registerDirectives(List<Directive> directives) {
        for (Directive directive : directives) {
            if (findings.putIfAbsent(directive, new LinkedHashSet<>()) == null) {
                inOrder.add(directive);
                registerDirectives(directive.block());
            }
        }
    }

    /** Records a directive whose conversion has the same meaning as the original. */
    public void addSame(Directive directive) {
        add(directive, Verdict.SAME, "");
    }

    /** Records a converted directive that differs; {@code how} describes the difference. */
    public void addChanged(Directive directive, String how) {
        add(directive, Verdict.CHANGED, how);
    }

    /** Records a directive that was not converted; {@code nearest} is the nearest equivalent, if any. */
    public void addUnsupported(Directive directive, String nearest) {
        add(directive, Verdict.NO_EQUAL, nearest);
    }

    /**
     * Records a converted directive: as equivalent if {@code notes} is empty, otherwise as changed, with these
     * notes.
     */
    public void addTranslated(Directive directive, List<String> notes) {
        if (notes.isEmpty()) {
            addSame(directive);
        }
        notes.forEach(note -> addChanged(directive, note));
    }

    /**
     * Records a setting that was omitted because Ballast's configuration reader rejects it; {@code setting}
     * contains its name and the reason.
     */
    void omitted(String setting) {
        omitted.add(setting);
    }

    /** Returns whether the directive has an entry in the report. */
    public boolean isReported(Directive directive) {
        return !findings.getOrDefault(directive, Set.of()).isEmpty();
    }

    /** Reports all directives without an entry, so that no directive is dropped silently. */
    public void close() {
        inOrder.stream()
                .filter(directive -> !isReported(directive))
                .forEach(directive -> addUnsupported(directive, ""));
    }

    /** Returns whether the user must complete the imported configuration by hand. */
    public boolean isIncomplete() {
        return !omitted.isEmpty() || count(Verdict.NO_EQUAL) > 0;
    }

    /** Writes a line for each finding, in the order of the file, and then the totals. */
    public void print(PrintWriter out) {
        for (Directive directive : inOrder) {
            Set<Finding> all = findings.getOrDefault(directive, Set.of());
            for (Finding finding : all) {
                if (finding.verdict != Verdict.SAME || all.size() == 1) {
                    out.println(directive.file() + ":" + directive.line() + ": " + finding.verdict + ": "
                            + directive.displayText() + (finding.words.isEmpty() ? "" : " (" + finding.words + ")"));
                }
            }
        }
        omitted.forEach(setting -> out.println("omitted (the default applies): " + setting));
        out.println(count(Verdict.SAME) + " same, " + count(Verdict.CHANGED) + " changed, " + count(Verdict.NO_EQUAL)
                + " without an equivalent");
        out.flush();
    }

    /** Counts the directives whose worst finding is this verdict. */
    private long count(Verdict verdict) {
        return inOrder.stream().filter(directive -> worst(directive) == verdict).count();
    }

    private Verdict worst(Directive directive) {
        return findings.getOrDefault(directive, Set.of()).stream()
                .map(Finding::verdict)
                .max(Verdict::compareTo)
                .orElse(Verdict.SAME);
    }

    private void add(Directive directive, Verdict verdict, String words) {
        findings.computeIfAbsent(directive, key -> new LinkedHashSet<>()).add(new Finding(verdict, words));
    }
}
