// Command bundle validates a bundle of the Operator Lifecycle Manager with the validators of the Operator Framework. It
// prints each finding and fails if there is an error; with -strict also if there is a warning. It leaves out the validators
// that inspect images and catalogs.
package main

import (
	"flag"
	"fmt"
	"os"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
)

var validators = interfaces.Validators{
	validation.PackageManifestValidator,
	validation.ClusterServiceVersionValidator,
	validation.CustomResourceDefinitionValidator,
	validation.BundleValidator,
	validation.OperatorHubV2Validator,
	validation.StandardCategoriesValidator,
	validation.StandardCapabilitiesValidator,
	validation.ObjectValidator,
	validation.OperatorGroupValidator,
	validation.AlphaDeprecatedAPIsValidator,
	validation.GoodPracticesValidator,
}

func main() {
	strict := flag.Bool("strict", false, "fail on warnings")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "Usage: bundle [-strict] FOLDER")
		os.Exit(2)
	}
	bundle, err := manifests.GetBundleFromDir(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot read the bundle:", err)
		os.Exit(2)
	}
	errors, warnings := 0, 0
	for _, result := range validators.Validate(bundle.ObjectsToValidate()...) {
		for _, finding := range result.Errors {
			fmt.Printf("error: %s: %s\n", result.Name, finding.Error())
			errors++
		}
		for _, finding := range result.Warnings {
			fmt.Printf("warning: %s: %s\n", result.Name, finding.Error())
			warnings++
		}
	}
	fmt.Printf("%d validators, %d objects: %d errors, %d warnings\n",
		len(validators), len(bundle.ObjectsToValidate()), errors, warnings)
	if errors > 0 || *strict && warnings > 0 {
		os.Exit(1)
	}
}
