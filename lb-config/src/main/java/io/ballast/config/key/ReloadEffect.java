package io.ballast.config.key;

/** When a changed value of a key takes effect after a reload. */
public enum ReloadEffect {
    /** The new value applies to the next request, query or check. */
    IMMEDIATE("at once"),

    /** The new value applies to new connections. Open ones keep the old value and close when they are idle. */
    NEW_CONNECTIONS("new connections"),

    /** The object is removed, as if its entry had been deleted, and a new one is added. */
    REPLACES_OBJECT("new object"),

    /** The old value stays in use until a restart; a reload warns. */
    NEEDS_RESTART("restart");

    private final String label;

    ReloadEffect(String label) {
        this.label = label;
    }

    /** Returns the label that the reference documentation uses. */
    public String label() {
        return label;
    }
}
