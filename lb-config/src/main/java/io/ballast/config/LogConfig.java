package io.ballast.config;

/**
 * The configuration of the process log.
 *
 * @param format the format in which events are written
 * @param level the lowest level that is logged
 */
public record LogConfig(Format format, Level level) {

    /** The format of an event in the log. */
    public enum Format {
        /** One line of key=value pairs; the stack trace of an exception follows on further lines. */
        TEXT,
        /** One JSON object on one line for each event. */
        JSON
    }

    /** The levels of events, from the most important to the least. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    public static final LogConfig DEFAULT = new LogConfig(Format.TEXT, Level.INFO);
}
