package io.ballast.config.load;

import io.ballast.config.yaml.Problem;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Prints the problems of configuration files, one line each. */
public record ConfigReport(PrintWriter err) {

    public void printWarnings(LoadedConfig loaded) {
        printWarnings(loaded.warnings());
    }

    /** Prints warnings about files that the configuration refers to. */
    public void printWarnings(Path file, List<String> warnings) {
        warnings.forEach(warning -> err.println(file + ": warning: " + warning));
        err.flush();
    }

    /** Prints notes that are not warnings. */
    public void printNotes(Path file, List<String> notes) {
        notes.forEach(note -> err.println(file + ": note: " + note));
        err.flush();
    }

    /** Prints all warnings and problems; returns the exit code. */
    public int printFailure(ConfigException failure) {
        printWarnings(failure.warnings());
        failure.problems().forEach(err::println);
        err.flush();
        return ConfigException.EXIT_CODE;
    }

    /** Prints problems of a file that can be read; returns the exit code. */
    public int printFailure(Path file, List<String> problems) {
        problems.forEach(problem -> err.println(file + ": " + problem));
        err.flush();
        return ConfigException.EXIT_CODE;
    }

    /** Prints warnings with their places. */
    public void printWarnings(List<Problem> warnings) {
        for (Problem warning : warnings) {
            String path = warning.path().isEmpty() ? "" : warning.path() + ": ";
            err.println(warning.place() + ": warning: " + path + warning.message());
        }
        err.flush();
    }
}
