package io.ballast.dns.zonefile;

import java.util.ArrayList;
import java.util.List;

/**
 * The problems in the files of one zone. At most {@value #MAX} errors and {@value #MAX} warnings are stored,
 * because a file in a different format could produce enough of them to fill the memory. Thread safety:
 * confined to the reading thread.
 */
public final class FileProblems {

    static final int MAX = 100;

    private final List<FileProblem> errors = new ArrayList<>();
    private final List<FileProblem> warnings = new ArrayList<>();
    private int moreWarnings;

    /** Adds an error. The last error that fits into the list also states that further problems are not listed. */
    public void error(ZoneFilePosition place, String message) {
        if (errors.size() < MAX - 1) {
            errors.add(new FileProblem(place, message));
        } else if (!isFull()) {
            errors.add(new FileProblem(place, message + "; further problems are not listed"));
        }
    }

    public void warning(ZoneFilePosition place, String message) {
        if (warnings.size() < MAX) {
            warnings.add(new FileProblem(place, message));
        } else {
            moreWarnings++;
        }
    }

    /** Whether further errors would be dropped. */
    public boolean isFull() {
        return errors.size() == MAX;
    }

    public boolean hasErrors() {
        return !errors.isEmpty();
    }

    /** Returns the errors, in the order in which they were found. */
    public List<FileProblem> errors() {
        return List.copyOf(errors);
    }

    /** Returns the warnings in the order of their discovery; the last warning states the number of omitted warnings. */
    public List<FileProblem> warnings() {
        if (moreWarnings == 0) {
            return List.copyOf(warnings);
        }
        List<FileProblem> listed = new ArrayList<>(warnings);
        FileProblem last = listed.remove(MAX - 1);
        listed.add(new FileProblem(last.place(), last.message() + "; " + moreWarnings + " more warnings"));
        return listed;
    }
}
