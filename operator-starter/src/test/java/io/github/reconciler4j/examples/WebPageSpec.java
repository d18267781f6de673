package io.github.reconciler4j.examples;

public class WebPageSpec {

    private String html = "";

    public String getHtml() {
        return html;
    }

    public void setHtml(String html) {
        this.html = html;
    }
}
