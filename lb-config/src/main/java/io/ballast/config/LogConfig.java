package io.ballast.config;

/**
 * The configuration of the process log.
 *
 * @param format how an event is written, a line or more for each
 * @param level the least important events that are written
 */
public record LogConfig(Format format, Level level) {

    /** How an event is written. */
    public enum Format {
        /** One line of key=value, with the stack of an exception in lines after it. */
        TEXT,
        /** One JSON object in one line for each event. */
        JSON
    }

    /** How important an event is, from the most important on. */
    public enum Level {
        ERROR,
        WARN,
        INFO,
        DEBUG
    }

    public static final LogConfig DEFAULT = new LogConfig(Format.TEXT, Level.INFO);
}
