package io.ballast.config.key;

/** The times at which a changed value of a key can take effect after a reload. */
public enum ReloadEffect {
    IMMEDIATE("at once", "applies to the next request, query or check"),

    NEW_CONNECTIONS(
            "new connections", "applies to new connections; open ones keep the old value and close when they are idle"),

    REPLACES_OBJECT("new object", "removes the object and adds a new one with the changed value"),

    NEEDS_RESTART("restart", "needs a restart; a reload keeps the old value and warns");

    private final String label;
    private final String meaning;

    ReloadEffect(String label, String meaning) {
        this.label = label;
        this.meaning = meaning;
    }

    /** Returns the label that the reference documentation uses. */
    public String label() {
        return label;
    }

    /** Returns how a changed value takes effect, as the end of a sentence that begins with "A changed value". */
    public String meaning() {
        return meaning;
    }
}
