package io.github.reconciler4j.maven;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.maven.model.Developer;
import org.apache.maven.model.IssueManagement;
import org.apache.maven.model.Model;
import org.apache.maven.model.Organization;
import org.apache.maven.model.Scm;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/** What a pom says about its project. A parent from a repository, such as that of Spring Boot, says nothing about it. */
final class PomDetails {

    private final MavenProject project;

    PomDetails(MavenProject project) {
        this.project = project;
    }

    /** Returns the options of the generator. */
    List<String> options() {
        List<String> options = new ArrayList<>();
        add(options, "--title", own(Model::getName));
        add(options, "--description", own(Model::getDescription));
        Organization organization = own(Model::getOrganization);
        if (organization != null) {
            add(options, "--provider", organization.getName());
            add(options, "--provider-url", organization.getUrl());
        }
        List<Developer> developers = own(model -> model.getDevelopers().isEmpty() ? null : model.getDevelopers());
        if (developers != null) {
            developers.forEach(developer -> pair(options, "--maintainer", developer.getName(), developer.getEmail()));
        }
        pair(options, "--link", "Homepage", own(Model::getUrl));
        Scm scm = own(Model::getScm);
        pair(options, "--link", "Source", scm == null ? null : scm.getUrl());
        IssueManagement issues = own(Model::getIssueManagement);
        pair(options, "--link", "Issues", issues == null ? null : issues.getUrl());
        return options;
    }

    /** Returns a value of the project or of the nearest parent with a file that has it, null if none has. */
    private <T> @Nullable T own(Function<Model, @Nullable T> value) {
        for (MavenProject one = project; one != null && one.getFile() != null; one = one.getParent()) {
            if (value.apply(one.getOriginalModel()) != null) {
                return value.apply(one.getModel());
            }
        }
        return null;
    }

    private static void pair(List<String> options, String option, @Nullable String key, @Nullable String value) {
        if (key != null && !key.isBlank() && value != null) {
            add(options, option, key.replace('=', ' ') + "=" + value);
        }
    }

    private static void add(List<String> options, String option, @Nullable String text) {
        if (text != null && !text.isBlank()) {
            options.add(option);
            options.add(text.strip().replaceAll("\\s+", " "));
        }
    }
}
